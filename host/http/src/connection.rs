//! HTTP connections, in use and idle.
//!
//! The future that uses a connection also drives it. Dropping that future therefore cancels the whole exchange, and an
//! idle connection is only a socket.

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
use url::Url;

use super::{
    meter::Meter,
    spelling::{Spelled, Spelling},
};
use isolette_policy::{network::Permit, network::Reach};

/// Servers commonly close idle connections after 5 to 60 seconds.
const IDLE_TIME: Duration = Duration::from_secs(15);
const IDLE_CONNECTIONS: usize = 8;

type Driver = http1::Connection<TokioIo<Spelled>, Full<Bytes>>;

/// One HTTP/1.1 connection.
pub(super) struct Connection {
    pub(super) sender: SendRequest<Full<Bytes>>,
    /// `None`: closed.
    driver: Option<Driver>,
    pub(super) meter: Arc<Meter>,
    pub(super) spelling: Arc<Spelling>,
}

impl Connection {
    pub(super) fn new(
        sender: SendRequest<Full<Bytes>>,
        driver: Driver,
        meter: Arc<Meter>,
        spelling: Arc<Spelling>,
    ) -> Self {
        Self { sender, driver: Some(driver), meter, spelling }
    }

    /// Drives the connection until `exchange` is ready.
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
            // The future that waits for a message receives the reason why the connection closed.
            self.driver = None;
        }
    }

    /// Returns whether another request can be sent: the peer has neither closed the connection nor sent unexpected
    /// data.
    pub(super) async fn is_usable(&mut self) -> bool {
        poll_fn(|context| {
            self.flow(context);
            Poll::Ready(())
        })
        .await;
        self.driver.is_some() && self.sender.is_ready()
    }
}

/// What a connection can be reused for: the same origin, under a permit of the same reach.
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

/// The pool of idle connections, oldest first.
#[derive(Default)]
pub(super) struct Pool(Mutex<Vec<(Key, Instant, Connection)>>);

impl Pool {
    /// Removes and returns the connection that was added last. The peer may have closed it meanwhile.
    pub(super) fn take(&self, key: &Key) -> Option<Connection> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        idle.retain(|(_, since, _)| since.elapsed() < IDLE_TIME);
        let index = idle.iter().rposition(|(other, ..)| other == key)?;
        Some(idle.remove(index).2)
    }

    /// Adds a connection whose exchange is complete and that can be reused.
    pub(super) fn put(&self, key: Key, connection: Connection) {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() >= IDLE_CONNECTIONS {
            idle.remove(0);
        }
        idle.push((key, Instant::now(), connection));
    }
}
