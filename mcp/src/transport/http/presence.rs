//! Noticing that a client has gone away without a word.
//!
//! In revisions of the protocol with sessions, a stream that breaks off is no wish to cancel: the client may come back and
//! ask for the rest. So it gets a while to show up again; if nothing is heard of its session by then, its run is ended, and
//! the session with it.

use std::{
    collections::HashMap,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use rmcp::transport::streamable_http_server::session::{SessionManager as _, local::LocalSessionManager};
use tokio_util::sync::CancellationToken;

use super::access;

/// Clients are told to come back after three seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sessions that are remembered; those that were heard of longest ago are forgotten first.
const REMEMBERED: usize = 4096;

/// When each session was last heard of.
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

/// A response that is watched until it was sent whole.
pub(super) struct Watched {
    body: access::Body,
    /// What to do if it is dropped before.
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
            tokio::time::sleep(PATIENCE).await;
            if !watch.presence.heard_since(&watch.session, broke_off) {
                // One that was closed in the meantime is gone anyhow.
                let _ = watch.sessions.close_session(&watch.session.into()).await;
                watch.gone.cancel();
            }
        });
    }
}
