//! Names to addresses.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr, ToSocketAddrs as _},
    sync::Arc,
};

use tokio::{sync::Semaphore, task::spawn_blocking};

/// Look-ups of one sandbox at one time, however many requests it may make.
const MOST_LOOK_UPS: usize = 32;

/// Asked once for every new connection, after the policy has agreed to the request and never before. What it answers is
/// checked and then connected to as it is.
pub trait Resolve: Send + Sync + 'static {
    /// The addresses in the order in which they should be tried, each with `port`. May block; a panic is an error.
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// What the operating system says: its hosts file and its name servers.
#[derive(Clone, Copy, Debug)]
pub struct System;

impl Resolve for System {
    fn resolve(&self, name: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok((name, port).to_socket_addrs()?.collect())
    }
}

/// A function of the embedder's.
type Answer = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// What the embedder says.
#[derive(Clone)]
pub struct Answers(Arc<Answer>);

impl Answers {
    /// Answers by this function.
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

/// Has names resolved, a few at a time.
///
/// A look-up cannot be cancelled: it goes on when its request is long over, on a thread that others need. So its place is
/// taken until it has ended, and a name server that answers late or never holds up the requests of one sandbox only.
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
