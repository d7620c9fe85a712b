//! Names to addresses.

use std::{
    fmt,
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::Arc,
};

/// The addresses of a name, or why there are none.
pub(crate) type Resolving<'a> = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send + 'a>>;

/// Asked once for every new connection, after the policy has agreed to the request and never before. What it answers is
/// checked and then connected to as it is.
pub(crate) trait Resolve: Send + Sync {
    /// The addresses in the order in which they should be tried, each with `port`.
    fn resolve<'a>(&'a self, name: &'a str, port: u16) -> Resolving<'a>;
}

/// What the operating system says: its hosts file and its name servers.
pub(crate) struct System;

impl Resolve for System {
    fn resolve<'a>(&'a self, name: &'a str, port: u16) -> Resolving<'a> {
        Box::pin(async move { Ok(tokio::net::lookup_host((name, port)).await?.collect()) })
    }
}

/// A function of the embedder's.
type Answer = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// What the embedder says.
#[derive(Clone)]
pub(crate) struct Answers(Arc<Answer>);

impl Answers {
    pub(crate) fn new(answer: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Answers").finish_non_exhaustive()
    }
}

impl Resolve for Answers {
    fn resolve<'a>(&'a self, name: &'a str, port: u16) -> Resolving<'a> {
        let (answer, name) = (Arc::clone(&self.0), name.to_owned());
        // It may block, and a panic of its is an error of its.
        let answering = tokio::task::spawn_blocking(move || answer(&name));
        Box::pin(async move {
            let addresses = answering.await.map_err(|_| io::Error::other("the resolver panicked"))??;
            Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
        })
    }
}
