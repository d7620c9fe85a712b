//! The queue for places, for when more guests are requested than may be live.
//!
//! Clients take turns: many requests of one client do not delay another client until all of them have been served.

mod state;
#[cfg(test)]
mod tests;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{Notify, oneshot};

use self::state::{State, Waiter};

/// Limits how many places are taken at the same time, how much memory they are for, and how many callers wait for one.
///
/// `C` identifies a client for scheduling. It grants no rights.
#[derive(Debug)]
pub struct Queue<C> {
    limits: QueueLimits,
    state: Mutex<State<C>>,
    /// Notified when no place is taken and no caller waits.
    idle: Notify,
}

/// The limits of a [`Queue`].
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// Maximum number of places that are taken. With 0 there is one.
    pub running: usize,
    /// Maximum number of callers that wait for a place.
    pub waiting: usize,
    /// Maximum sum of the memory of all places that are taken, in bytes. `None` if memory is not limited.
    pub memory: Option<u64>,
}

/// A place in a [`Queue`], taken until it is dropped.
#[derive(Debug)]
pub struct Place<C> {
    /// `None` if the place was returned already.
    queue: Option<Arc<Queue<C>>>,
    memory: u64,
}

/// A caller gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// Why.
    pub reason: Reason,
    /// Number of places that were taken.
    pub running: usize,
    /// Number of callers that waited.
    pub waiting: usize,
}

/// Why a caller gets no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No further caller may wait.
    Full,
    /// The queue was closed.
    Closed,
    /// The memory is more than all places together may have.
    TooLarge,
}

impl<C: PartialEq> Queue<C> {
    /// Waits for a place with this much memory, in bytes. Dropping the future leaves the queue. The wait has no limit in time.
    ///
    /// # Errors
    /// [`Refused`] if the queue is full or closed, or if there can be no such place.
    pub async fn enter(self: &Arc<Self>, client: C, memory: u64) -> Result<Place<C>, Refused> {
        // Dropped after the receiver, so that a request that is given up does not block those behind it.
        let mut leave = None;
        let turn = {
            let mut state = self.state();
            state.check(&self.limits, memory)?;
            if state.lines.is_empty() && state.has_room(&self.limits, memory) {
                state.take(memory);
                return Ok(Place { queue: Some(Arc::clone(self)), memory });
            }
            state.remove_closed();
            if state.waiting >= self.limits.waiting {
                return Err(state.refused(Reason::Full));
            }
            let (sender, turn) = oneshot::channel();
            let waiter = Waiter { memory, turn: sender };
            state.waiting += 1;
            match state.lines.iter_mut().find(|(other, _)| *other == client) {
                Some((_, line)) => line.push_back(waiter),
                None => state.lines.push_back((client, VecDeque::from([waiter]))),
            }
            let _ = leave.insert(Leave(self));
            turn
        };
        // A place that is sent to a caller that has left is dropped and passed on, so no place is lost.
        turn.await.map_err(|_| self.state().refused(Reason::Closed))
    }
}

impl<C> Queue<C> {
    /// Makes a queue in which all places are free.
    #[must_use]
    pub fn new(limits: QueueLimits) -> Arc<Self> {
        let limits = QueueLimits { running: limits.running.max(1), ..limits };
        let state = State::default();
        Arc::new(Self { limits, state: Mutex::new(state), idle: Notify::new() })
    }

    /// Refuses further callers. Those that wait still get their places.
    pub fn close(&self) {
        self.state().is_closed = true;
    }

    /// Whether further callers are refused.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Fails if there can be no place with this much memory, in bytes, or none at all.
    ///
    /// # Errors
    /// [`Refused`], with the reason.
    pub fn check(&self, memory: u64) -> Result<(), Refused> {
        self.state().check(&self.limits, memory)
    }

    /// Refuses all callers that wait, and further ones.
    pub fn refuse_all(self: &Arc<Self>) {
        let refused = {
            let mut state = self.state();
            state.is_closed = true;
            state.waiting = 0;
            std::mem::take(&mut state.lines)
        };
        drop(refused);
        self.advance();
    }

    /// Waits until no place is taken and no caller waits.
    pub async fn idle(&self) {
        loop {
            let notified = self.idle.notified();
            let mut notified = std::pin::pin!(notified);
            // Registered before the state is looked at, so that no notification is missed.
            notified.as_mut().enable();
            if self.busy() == 0 {
                return;
            }
            notified.await;
        }
    }

    /// Number of places that are taken, and of callers that wait.
    #[must_use]
    pub fn busy(&self) -> usize {
        let state = self.state();
        state.running + state.waiting
    }

    /// Number of callers that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state().waiting
    }

    /// Number of places that are taken, and the sum of their memory in bytes.
    #[must_use]
    pub fn running(&self) -> (usize, u64) {
        let state = self.state();
        (state.running, u64::try_from(state.memory).unwrap_or(u64::MAX))
    }

    /// Passes free places on, until none is free or no caller waits.
    fn advance(self: &Arc<Self>) {
        loop {
            let next = {
                let mut state = self.state();
                let next = state.next(&self.limits);
                match &next {
                    Some(next) => state.take(next.memory),
                    None if state.running + state.waiting == 0 => self.idle.notify_waiters(),
                    None => {}
                }
                next
            };
            let Some(Waiter { memory, turn }) = next else { return };
            if let Err(mut refused) = turn.send(Place { queue: Some(Arc::clone(self)), memory }) {
                // The receiver was dropped in the meantime. The place is passed on here, and must not be passed on by
                // its own drop.
                drop(refused.queue.take());
                self.state().free(memory);
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller that leaves the queue.
struct Leave<'a, C>(&'a Arc<Queue<C>>);

impl<C> Drop for Leave<'_, C> {
    fn drop(&mut self) {
        self.0.advance();
    }
}

impl<C> Drop for Place<C> {
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        queue.state().free(self.memory);
        queue.advance();
    }
}
