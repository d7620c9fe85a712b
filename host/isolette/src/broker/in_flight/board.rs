//! What the threads that perform submitted calls and the thread of the guest tell each other.

use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette_work as work;

use tokio::sync::Notify;

use super::{super::asked::Asked, CallNumber, Finish};
use crate::blocking_threads::{Blocking, BlockingThreads};

#[derive(Default)]
pub(in crate::broker) struct Board {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    /// In the order of completion.
    finished: VecDeque<(u32, Finish)>,
    /// The tickets of these.
    tickets: HashSet<u32>,
    /// Calls whose approval is deferred, and of which nothing goes on.
    deferrals: VecDeque<Deferral>,
    /// Functions for which there is no thread but that of the guest.
    blocking: VecDeque<(u32, Blocking)>,
}

/// A submitted call whose approval is deferred.
pub(in crate::broker) struct Deferral {
    pub(in crate::broker) ticket: u32,
    pub(in crate::broker) number: CallNumber,
    pub(in crate::broker) asked: Asked,
    /// What is reserved for it.
    pub(in crate::broker) memory: Arc<work::Call>,
}

impl Board {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Announces the result of a call.
    pub(in crate::broker) fn finish(&self, ticket: u32, finish: Finish) {
        let mut state = self.state();
        state.tickets.insert(ticket);
        state.finished.push_back((ticket, finish));
        drop(state);
        self.changed.notify_one();
    }

    /// Announces that the approval of a call is deferred.
    pub(in crate::broker) fn defer(&self, deferral: Deferral) {
        self.state().deferrals.push_back(deferral);
        self.changed.notify_one();
    }

    pub(in crate::broker) fn next_deferral(&self) -> Option<Deferral> {
        self.state().deferrals.pop_front()
    }

    pub(super) fn next(&self) -> Option<(u32, Finish)> {
        let mut state = self.state();
        let next = state.finished.pop_front()?;
        state.tickets.remove(&next.0);
        Some(next)
    }

    pub(super) fn take(&self, ticket: u32) -> Option<Finish> {
        let mut state = self.state();
        if !state.tickets.remove(&ticket) {
            return None;
        }
        let place = state.finished.iter().position(|(other, _)| *other == ticket)?;
        state.finished.remove(place).map(|(_, finish)| finish)
    }

    pub(super) fn len(&self) -> usize {
        self.state().finished.len()
    }

    pub(super) fn has_any(&self) -> bool {
        !self.state().finished.is_empty()
    }

    pub(super) fn has_finished(&self, ticket: u32) -> bool {
        self.state().tickets.contains(&ticket)
    }

    /// Drops what remains of a call whose result is not wanted.
    pub(super) fn discard(&self, ticket: u32) {
        let mut state = self.state();
        let function = state.blocking.iter().position(|(other, _)| *other == ticket);
        let function = function.and_then(|place| state.blocking.remove(place));
        let is_finished = state.tickets.remove(&ticket);
        let result = state.finished.iter().position(|(other, _)| is_finished && *other == ticket);
        let result = result.and_then(|place| state.finished.remove(place));
        let deferral = state.deferrals.iter().position(|deferral| deferral.ticket == ticket);
        let deferral = deferral.and_then(|place| state.deferrals.remove(place));
        drop(state);
        // They may drop values of the embedder, which may do anything.
        drop((function, result, deferral));
    }

    /// Returns when something has changed since the last time.
    pub(in crate::broker) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Calls a blocking function on a thread of its own if there is one, and otherwise when the guest waits, on its thread.
    pub(in crate::broker) fn call_blocking(&self, ticket: u32, function: Blocking, threads: &BlockingThreads) {
        if let Some(function) = threads.start(function) {
            self.state().blocking.push_back((ticket, function));
            self.changed.notify_one();
        }
    }

    /// Takes the next blocking function that has no thread, with its ticket.
    pub(in crate::broker) fn next_blocking(&self) -> Option<(u32, Blocking)> {
        self.state().blocking.pop_front()
    }
}
