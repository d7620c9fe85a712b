//! What a queue counts, and the order of the callers that wait.

use std::collections::VecDeque;

use tokio::sync::oneshot;

use super::{Place, QueueLimits, Reason, Refused};

/// The places that are taken, and the callers that wait.
#[derive(Debug)]
pub(super) struct State<C> {
    pub(super) running: usize,
    pub(super) waiting: usize,
    pub(super) memory: u128,
    pub(super) is_closed: bool,
    /// One line for each client that waits; the front line is next.
    pub(super) lines: VecDeque<(C, VecDeque<Waiter<C>>)>,
}

/// A caller that waits.
#[derive(Debug)]
pub(super) struct Waiter<C> {
    pub(super) memory: u64,
    pub(super) turn: oneshot::Sender<Place<C>>,
}

impl<C> Default for State<C> {
    fn default() -> Self {
        Self { running: 0, waiting: 0, memory: 0, is_closed: false, lines: VecDeque::new() }
    }
}

impl<C> State<C> {
    pub(super) fn check(&self, limits: &QueueLimits, memory: u64) -> Result<(), Refused> {
        if limits.memory.is_some_and(|limit| memory > limit) {
            return Err(self.refused(Reason::TooLarge));
        }
        if self.is_closed { Err(self.refused(Reason::Closed)) } else { Ok(()) }
    }

    pub(super) fn has_room(&self, limits: &QueueLimits, memory: u64) -> bool {
        let fits = |limit| self.memory + u128::from(memory) <= u128::from(limit);
        self.running < limits.running && limits.memory.is_none_or(fits)
    }

    pub(super) fn take(&mut self, memory: u64) {
        self.running += 1;
        self.memory += u128::from(memory);
    }

    pub(super) fn free(&mut self, memory: u64) {
        self.running -= 1;
        self.memory -= u128::from(memory);
    }

    /// The next caller, if there is room for it. Callers behind it wait too, so that one with much memory gets its turn.
    pub(super) fn next(&mut self, limits: &QueueLimits) -> Option<Waiter<C>> {
        loop {
            let waiter = self.lines.front().and_then(|(_, line)| line.front())?;
            if !waiter.turn.is_closed() && !self.has_room(limits, waiter.memory) {
                return None;
            }
            let (client, mut line) = self.lines.pop_front()?;
            let next = line.pop_front();
            if !line.is_empty() {
                self.lines.push_back((client, line));
            }
            if let Some(next) = next {
                self.waiting -= 1;
                if !next.turn.is_closed() {
                    return Some(next);
                }
            }
        }
    }

    pub(super) fn remove_closed(&mut self) {
        for (_, line) in &mut self.lines {
            line.retain(|waiting| !waiting.turn.is_closed());
        }
        self.lines.retain(|(_, line)| !line.is_empty());
        self.waiting = self.lines.iter().map(|(_, line)| line.len()).sum();
    }

    pub(super) fn refused(&self, reason: Reason) -> Refused {
        Refused { reason, running: self.running, waiting: self.waiting }
    }
}
