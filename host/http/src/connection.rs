//! Connections, in use and idle.
//!
//! The future that uses a connection drives it. So an exchange that is given up is given up whole, and
//! an idle connection is only a socket.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    sync::{Arc, Mutex, PoisonError},
    task::Poll,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body_util::Full;
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use url::Url;

use super::meter::Meter;
use isolette_policy::{network::Permit, network::Reach};

/// Servers commonly close after 5 to 60 seconds.
const IDLE_TIME: Duration = Duration::from_secs(15);
const IDLE_CONNECTIONS: usize = 8;

/// Plain or encrypted.
pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

type Driver = http1::Connection<TokioIo<Box<dyn Stream>>, Full<Bytes>>;

/// One HTTP/1.1 connection.
pub(super) struct Connection {
    pub(super) sender: SendRequest<Full<Bytes>>,
    /// `None`: closed.
    driver: Option<Driver>,
    pub(super) meter: Arc<Meter>,
}

impl Connection {
    pub(super) fn new(sender: SendRequest<Full<Bytes>>, driver: Driver, meter: Arc<Meter>) -> Self {
        Self { sender, driver: Some(driver), meter }
    }

    /// Lets bytes flow until `exchange` is done with them.
    pub(super) async fn drive<F: Future>(&mut self, exchange: F) -> F::Output {
        let mut exchange = pin!(exchange);
        poll_fn(|context| {
            self.flow(context);
            exchange.as_mut().poll(context)
        })
        .await
    }

    fn flow(&mut self, context: &mut std::task::Context<'_>) {
        if let Some(driver) = &mut self.driver
            && Pin::new(driver).poll(context).is_ready()
        {
            // Why it closed is told to whoever waits for a message.
            self.driver = None;
        }
    }

    /// Whether another request can be sent: the peer has neither closed nor said anything out of turn.
    pub(super) async fn is_usable(&mut self) -> bool {
        poll_fn(|context| {
            self.flow(context);
            Poll::Ready(())
        })
        .await;
        self.driver.is_some() && self.sender.is_ready()
    }
}

/// What a connection can be used again for: the same origin, under a permit of the same reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    origin: url::Origin,
    reach: Reach,
}

impl Key {
    pub(super) fn new(url: &Url, permit: &Permit<'_>) -> Self {
        Self { origin: url.origin(), reach: permit.reach() }
    }
}

/// Idle connections, oldest first.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<(Key, Instant, Connection)>>);

impl Pool {
    /// The last one that was put there. It may have been closed meanwhile.
    pub(super) fn take(&self, key: &Key) -> Option<Connection> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(_, since, _)| since.elapsed() < IDLE_TIME);
        let index = idle.iter().rposition(|(other, ..)| other == key)?;
        Some(idle.remove(index).2)
    }

    /// Keeps a connection whose exchange is over and that can be used again.
    pub(super) fn put(&self, key: Key, connection: Connection) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE_CONNECTIONS {
            idle.remove(0);
        }
        idle.push((key, Instant::now(), connection));
    }
}
