//! Resolves names to addresses.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    sync::Arc,
};

use tokio::{sync::Semaphore, task::spawn_blocking};

/// Maximum number of concurrent look-ups of one sandbox, independent of its number of requests.
const MOST_LOOK_UPS: usize = 32;

/// Resolves names. The host calls it once for every new connection, after the policy has allowed the request and never
/// before. The returned addresses are checked and then connected to without another look-up.
pub trait Resolve: Send + Sync + 'static {
    /// Returns the addresses in the order in which they should be tried, each with `port`. May block; a panic is an
    /// error.
    ///
    /// # Errors
    /// The name cannot be resolved.
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// Resolves names with the operating system: its hosts file and its name servers.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok((name, port).to_socket_addrs()?.collect())
    }
}

/// A function of the embedder.
type Answer = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// Resolves names with a function of the embedder.
#[derive(Clone)]
pub struct Answers(Arc<Answer>);

impl Answers {
    /// Creates a resolver from a function that returns the addresses of a name.
    pub fn new(answer: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        Self(Arc::new(answer))
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Answers").finish_non_exhaustive()
    }
}

impl Resolve for Answers {
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let addresses = (self.0)(name)?;
        Ok(addresses.into_iter().map(|address| SocketAddr::new(address, port)).collect())
    }
}

/// Resolves names, with a limited number of look-ups at a time.
///
/// A look-up cannot be cancelled: it continues after its request has ended, on a thread that other work needs. Its slot
/// is therefore occupied until it has ended, so a name server that answers late or never blocks the requests of one
/// sandbox only.
pub(super) struct Names {
    resolver: Arc<dyn Resolve>,
    places: Arc<Semaphore>,
}

impl Names {
    pub(super) fn new(resolver: Arc<dyn Resolve>, requests: usize) -> Self {
        Self { resolver, places: Arc::new(Semaphore::new(requests.clamp(1, MOST_LOOK_UPS))) }
    }

    pub(super) async fn addresses(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(io::Error::other)?;
        let (resolver, name) = (Arc::clone(&self.resolver), name.to_owned());
        let answering = spawn_blocking(move || {
            let answer = resolver.resolve(&name, port);
            drop(place);
            answer
        });
        answering.await.map_err(|_| io::Error::other("the resolver panicked"))?
    }
}
