//! Waits of runs that are recorded or replayed.
//!
//! A program sees the results of its calls in the order in which they complete, so a recording has that order, and the waits
//! that ended at their time. In a replay each wait returns what the recorded one returned, and takes no time. If the
//! program does not wait as the recorded one did, the rest of the run gets results in the order in which they complete.

use std::{collections::VecDeque, time::Duration};

use isolette_abi::tickets::Wait;

use super::{Broker, Scope, Stop, guard::Performed, in_flight::InFlight, waits::Condition};
use crate::recording::{Completed, RecordedWait, ReplayedRun, RunRecording};

impl Broker {
    /// Waits if the guest asks for it, and returns the replies that there are.
    pub(super) fn replies(&mut self, wait: Option<&Wait>) -> Result<Vec<u8>, Stop> {
        let Some(recording) = self.scope.oversight.recording.clone() else {
            self.wait_for_replies(wait)?;
            return Ok(self.completions(InFlight::next_finished).0);
        };
        match &*recording {
            RunRecording::Record(run) => {
                let timed_out = self.wait_for_replies(wait)?;
                let (replies, tickets) = self.completions(InFlight::next_finished);
                run.waited(tickets, timed_out);
                Ok(replies)
            }
            RunRecording::Replay(run) => match run.next_wait() {
                RecordedWait::Completed(completed) if self.fits(wait, &completed)? => self.replay(wait, completed),
                RecordedWait::Stopped(stop) => Err(stop),
                RecordedWait::Completed(_) | RecordedWait::Unknown => self.leave_recording(wait, run),
            },
        }
    }

    /// Whether a wait of the guest can end as the recorded one did.
    fn fits(&self, wait: Option<&Wait>, completed: &Completed) -> Result<bool, Stop> {
        if completed.tickets.is_empty() {
            let Some(wait) = wait.filter(|wait| wait.timeout.is_none()) else { return Ok(true) };
            return Ok(self.condition(wait)?.is_met_without_results(self));
        }
        Ok(completed.tickets.iter().all(|ticket| self.in_flight.is_open(*ticket)))
    }

    fn replay(&mut self, wait: Option<&Wait>, completed: Completed) -> Result<Vec<u8>, Stop> {
        let Completed { tickets, timed_out, .. } = completed;
        self.spawn_jobs()?;
        if let Some((wait, timeout)) = wait.and_then(|wait| Some((wait, wait.timeout?)))
            && (timed_out || tickets.is_empty() && !self.condition(wait)?.is_met_without_results(self))
        {
            self.scope.guest.system.sleeps(Duration::from_nanos(timeout));
        }
        self.wait_until(Condition::Recorded(tickets.clone()), None)?;
        let mut tickets = VecDeque::from(tickets);
        Ok(self.completions(|in_flight| in_flight.take_finished(tickets.pop_front()?)).0)
    }

    fn leave_recording(&mut self, wait: Option<&Wait>, run: &ReplayedRun) -> Result<Vec<u8>, Stop> {
        run.leave();
        self.wait_for_replies(wait)?;
        Ok(self.completions(InFlight::next_finished).0)
    }
}

impl Scope {
    /// Performs a call; what is recorded of it then belongs to this run, and to the ticket of a submitted call.
    pub(super) fn perform_as<'a, T: 'a>(
        &self,
        ticket: Option<u32>,
        perform: impl FnOnce() -> Performed<'a, T>,
    ) -> Performed<'a, T> {
        let Some(recording) = &self.oversight.recording else { return perform() };
        let origin = recording.origin(ticket);
        match origin.within(perform) {
            Performed::Later(future) => Performed::Later(Box::pin(origin.along(future))),
            now => now,
        }
    }
}
