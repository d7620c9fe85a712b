//! The requests that are being done beside others.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio_util::sync::CancellationToken;

use crate::{failure::Failure, id::Id, limits::Limits};

/// Requests by their identifiers.
#[derive(Debug, Default)]
pub(crate) struct Open(Mutex<HashMap<Id, (CancellationToken, usize)>>);

impl Open {
    /// Adds a request, whose line has this length.
    pub(crate) fn add(&self, id: &Id, length: usize, limits: &Limits) -> Result<CancellationToken, Failure> {
        let mut open = self.lock();
        if open.contains_key(id) {
            return Err(Failure::usage("a request with this id is being done", "give each request an id of its own"));
        }
        if open.len() >= limits.at_once {
            return Err(Failure::new("Busy", format!("{} requests are being done", open.len()), "wait for a reply"));
        }
        let held: usize = open.values().map(|(_, length)| length).sum();
        if held.saturating_add(length) > limits.held {
            let message = format!("the requests that are being done have {held} of {} bytes", limits.held);
            return Err(Failure::new("Busy", message, "wait for a reply"));
        }
        let token = CancellationToken::new();
        open.insert(id.clone(), (token.clone(), length));
        Ok(token)
    }

    pub(crate) fn remove(&self, id: &Id) {
        self.lock().remove(id);
    }

    /// Returns what cancels a request.
    pub(crate) fn find(&self, id: &Id) -> Option<CancellationToken> {
        self.lock().get(id).map(|(token, _)| token.clone())
    }

    pub(crate) fn cancel_all(&self) {
        self.lock().values().for_each(|(token, _)| token.cancel());
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Id, (CancellationToken, usize)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
