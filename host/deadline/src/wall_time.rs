//! The wall time of a run, which can be stopped.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::Notify;

/// The wall time that remains.
#[derive(Debug)]
pub(crate) struct WallTime {
    state: Mutex<State>,
    /// Notified when the end is another one.
    changed: Notify,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// It is over then.
    Passing(Instant),
    /// This much remains.
    Stopped(Duration),
}

impl WallTime {
    pub(crate) fn new(limit: Duration) -> Self {
        let now = Instant::now();
        Self { state: Mutex::new(State::Passing(now.checked_add(limit).unwrap_or(now))), changed: Notify::new() }
    }

    /// When it is over, unless it is stopped.
    pub(crate) fn end(&self) -> Option<Instant> {
        match *self.state() {
            State::Passing(end) => Some(end),
            State::Stopped(_) => None,
        }
    }

    pub(crate) fn remaining(&self) -> Duration {
        match *self.state() {
            State::Passing(end) => end.saturating_duration_since(Instant::now()),
            State::Stopped(remaining) => remaining,
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.end().is_some_and(|end| Instant::now() >= end)
    }

    pub(crate) fn pause(&self) {
        let remaining = self.remaining();
        *self.state() = State::Stopped(remaining);
        self.changed.notify_waiters();
    }

    pub(crate) fn go_on(&self) {
        let now = Instant::now();
        let mut state = self.state();
        if let State::Stopped(remaining) = *state {
            *state = State::Passing(now.checked_add(remaining).unwrap_or(now));
        }
        drop(state);
        self.changed.notify_waiters();
    }

    /// Returns when it is over.
    pub(crate) async fn over(&self) {
        loop {
            // It has to listen before it looks.
            let changed = self.changed.notified();
            match self.end() {
                Some(end) if Instant::now() >= end => return,
                Some(end) => {
                    tokio::select! {
                        () = tokio::time::sleep_until(end.into()) => {}
                        () = changed => {}
                    }
                }
                None => changed.await,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
