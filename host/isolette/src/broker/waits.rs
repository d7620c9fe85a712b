//! Waits of a guest for the replies to the calls that it has submitted.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::{
    MESSAGE_LIMIT, encode,
    tickets::{Completion, OPEN_LIMIT, Wait},
};
use isolette_deadline::wait_until;

use super::{
    Broker, Stop,
    in_flight::{Finish, InFlight},
    tickets::FRAME,
};

/// The grace period in which a reply waits for further completions is this part of the time that it has waited for the first: calls
/// that take equally long complete one shortly after the other, and each message costs the guest some microseconds.
const GRACE_PERIOD_DIVISOR: u32 = 64;

/// The longest grace period.
const LONGEST_GRACE_PERIOD: Duration = Duration::from_millis(1);

impl Broker {
    /// Waits if the guest asks for it. Returns whether the time was over that it asked for.
    pub(super) fn wait_for_replies(&mut self, wait: Option<&Wait>) -> Result<bool, Stop> {
        let Some(wait) = wait else {
            self.spawn_jobs()?;
            return Ok(false);
        };
        let condition = self.condition(wait)?;
        self.spawn_jobs()?;
        let began = Instant::now();
        if !self.wait_until(condition, wait.timeout.map(Duration::from_nanos))? {
            return Ok(true);
        }
        let board = Arc::clone(self.in_flight.board());
        let until = Instant::now() + (began.elapsed() / GRACE_PERIOD_DIVISOR).min(LONGEST_GRACE_PERIOD);
        while self.in_flight.is_working() && wait_until(until, board.changed()).is_some() {}
        Ok(false)
    }

    /// Waits until the condition is met. Returns `false` if the time was over before; a deterministic clock then shows it.
    pub(super) fn wait_until(&mut self, mut condition: Condition, timeout: Option<Duration>) -> Result<bool, Stop> {
        let began = Instant::now();
        let scope = Arc::clone(&self.scope);
        let board = Arc::clone(self.in_flight.board());
        while !condition.is_met(self) {
            self.take_deferrals()?;
            if let Some((_, function)) = board.next_blocking() {
                scope.deadline.cpu().exclude(function);
                continue;
            }
            let remaining = timeout.map(|timeout| timeout.saturating_sub(began.elapsed()));
            if let (Some(Duration::ZERO), Some(timeout)) = (remaining, timeout) {
                scope.guest.system.sleeps(timeout);
                return Ok(false);
            }
            if timeout.is_none() && self.waits_for_answers_only() {
                return Err(Stop::Paused);
            }
            scope.wait(async {
                match remaining {
                    None => board.changed().await,
                    Some(remaining) => {
                        // The next turn of the loop finds out which of the two it was.
                        let _ = tokio::time::timeout(remaining, board.changed()).await;
                    }
                }
            })?;
        }
        Ok(true)
    }

    /// Continues the submitted calls on other threads.
    pub(super) fn spawn_jobs(&mut self) -> Result<(), Stop> {
        self.in_flight.spawn(&self.scope.deadline)
    }

    pub(super) fn condition(&self, wait: &Wait) -> Result<Condition, Stop> {
        match (wait.tickets.as_slice(), wait.all) {
            (tickets, _) if tickets.len() > OPEN_LIMIT => Err(Stop::Malformed),
            ([], false) => Ok(Condition::AnyReply),
            ([], true) => Ok(Condition::All(self.in_flight.tickets().collect())),
            (tickets, false) => Ok(Condition::Any(tickets.to_vec())),
            (tickets, true) => Ok(Condition::All(tickets.to_vec())),
        }
    }

    /// Takes results from `next`, and returns the replies that there are, as many as fit the message. The second value are
    /// the tickets of the results.
    pub(super) fn completions(
        &mut self,
        mut next: impl FnMut(&mut InFlight) -> Option<(u32, Finish)>,
    ) -> (Vec<u8>, Vec<u32>) {
        let mut finished = Vec::new();
        let mut replies: Vec<(u32, Vec<u8>)> = Vec::new();
        let mut room = MESSAGE_LIMIT - FRAME;
        loop {
            let next = self.in_flight.next_reply().or_else(|| {
                let (ticket, finish) = next(&mut self.in_flight)?;
                finished.push(ticket);
                Some((ticket, finish(self)))
            });
            let Some((ticket, reply)) = next else { break };
            let length = reply.len().saturating_add(FRAME);
            if length > room && !replies.is_empty() {
                self.in_flight.keep_reply(ticket, reply);
                break;
            }
            room = room.saturating_sub(length);
            replies.push((ticket, reply));
        }
        let completions: Vec<_> = replies.iter().map(|(ticket, reply)| Completion { ticket: *ticket, reply }).collect();
        (encode(&completions), finished)
    }
}

/// The condition under which the reply to a wait is due.
pub(super) enum Condition {
    /// When there is a reply to any ticket.
    AnyReply,
    /// When one of these tickets has completed.
    Any(Vec<u32>),
    /// When all of these tickets have completed.
    All(Vec<u32>),
    /// When all of these tickets have completed, even if no further call can be performed before the guest gets results.
    Recorded(Vec<u32>),
}

impl Condition {
    fn is_met(&mut self, broker: &Broker) -> bool {
        let in_flight = &broker.in_flight;
        let is_complete = |ticket: u32| !in_flight.is_open(ticket) || in_flight.has_reply(ticket);
        match self {
            Self::AnyReply => in_flight.is_empty() || in_flight.has_replies(),
            Self::Any(_) | Self::All(_) if in_flight.is_congested() => true,
            Self::Any(tickets) => tickets.iter().any(|ticket| is_complete(*ticket)),
            Self::All(tickets) | Self::Recorded(tickets) => {
                // A ticket that is complete stays so, and need not be checked again.
                while tickets.pop_if(|ticket| is_complete(*ticket)).is_some() {}
                tickets.is_empty()
            }
        }
    }

    /// Whether the reply is due although no call has completed since the last one.
    pub(super) fn is_met_without_results(&self, broker: &Broker) -> bool {
        let in_flight = &broker.in_flight;
        match self {
            Self::AnyReply => in_flight.has_kept_replies() || !in_flight.has_open(),
            Self::Any(tickets) => tickets.iter().any(|ticket| !in_flight.is_open(*ticket)),
            Self::All(tickets) | Self::Recorded(tickets) => tickets.iter().all(|ticket| !in_flight.is_open(*ticket)),
        }
    }
}
