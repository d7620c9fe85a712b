//! Names to addresses.

use std::{future::Future, io, net::SocketAddr, pin::Pin};

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
