//! Detects clients that have disconnected without cancelling.
//!
//! In revisions of the protocol with sessions, a broken stream does not cancel a run: the client may reconnect and ask
//! for the rest. If the session is not used again within a grace period, its run is cancelled and the session is
//! closed.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use isolette_listener::access;
use rmcp::transport::streamable_http_server::session::{SessionManager as _, local::LocalSessionManager};
use tokio_util::sync::CancellationToken;

/// The grace period. Clients are instructed to reconnect after three seconds.
const GRACE_PERIOD: Duration = Duration::from_secs(10);

/// Maximum number of sessions that are tracked; the least recently used one is dropped first.
const REMEMBERED: usize = 4096;

/// The time at which each session was last used.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<HashMap<String, Instant>>);

impl Presence {
    pub(super) fn note(&self, session: &str) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= REMEMBERED {
            let oldest = seen.iter().min_by_key(|(_, time)| **time).map(|(session, _)| session.clone());
            oldest.map(|oldest| seen.remove(&oldest));
        }
        seen.insert(session.to_owned(), Instant::now());
    }

    fn heard_since(&self, session: &str, time: Instant) -> bool {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.get(session).is_some_and(|last| *last > time)
    }
}

/// A response that is watched until it is sent completely.
pub(super) struct Watched {
    body: access::Body,
    /// What to do if the response is dropped before.
    watch: Option<Watch>,
}

pub(super) struct Watch {
    pub(super) presence: Arc<Presence>,
    pub(super) session: String,
    pub(super) gone: CancellationToken,
    pub(super) sessions: Arc<LocalSessionManager>,
}

impl Watched {
    pub(super) fn new(body: access::Body, watch: Watch) -> Self {
        Self { body, watch: Some(watch) }
    }
}

impl Body for Watched {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(None) = polled {
            self.watch = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Some(watch) = self.watch.take() else { return };
        let broke_off = Instant::now();
        tokio::spawn(async move {
            tokio::time::sleep(GRACE_PERIOD).await;
            if !watch.presence.heard_since(&watch.session, broke_off) {
                // Closing a session that was closed in the meantime fails, which is ignored.
                let _ = watch.sessions.close_session(&watch.session.into()).await;
                watch.gone.cancel();
            }
        });
    }
}
