//! What all calls of a run share, on whatever thread they are performed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use isolette_capabilities::CallNotes;
use isolette_deadline::{Deadline, Stop, runtime};
use isolette_policy::{CallRequest, Limits, Need, Policy};
use isolette_types::{LimitHit, LimitName, Usage};
use isolette_work::Interrupt;

use super::{
    Record,
    decisions::{Asking, Deferrals, Question},
    open_call::CallNumber,
};
use crate::{capabilities::Capabilities, guest_context::GuestContext, oversight::Oversight};

/// The capabilities, rules, limits and record of a run.
pub(super) struct Scope {
    pub(super) capabilities: Arc<Capabilities>,
    pub(super) guest: GuestContext,
    pub(super) policy: Arc<Policy>,
    pub(super) oversight: Oversight,
    pub(super) deadline: Deadline,
    /// The same, for the work that the host does in calls.
    pub(super) interrupt: Arc<dyn Interrupt>,
    pub(super) record: Arc<Mutex<Record>>,
    /// Receives notes from custom interfaces.
    pub(super) notes: Arc<dyn CallNotes>,
    /// Whether the run can wait for answers.
    pub(super) can_pause: bool,
    pub(super) deferrals: Arc<Deferrals>,
}

/// How far the approval of a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Nobody was asked.
    New,
    /// Nobody was asked, and the program or a server has a part of the call already: it cannot be made anew after a pause.
    Underway,
    /// It was approved before.
    Approved,
}

impl Scope {
    pub(super) fn limits(&self) -> &Limits {
        &self.policy.limits
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the approval of a call has come that can be made anew.
    pub(super) fn stage(&self, call: CallNumber) -> Stage {
        if self.deferrals.is_approved(call) { Stage::Approved } else { Stage::New }
    }

    /// Counts one use of a limited resource. Returns `false` if the limit is exceeded.
    pub(super) fn count(&self, name: LimitName, limit: u64, counter: impl FnOnce(&mut Usage) -> &mut u64) -> bool {
        let mut record = self.record();
        let used = counter(&mut record.usage);
        *used += 1;
        let used = *used;
        if used > limit {
            record.reached(LimitHit::new(name, limit, used));
        }
        used <= limit
    }

    /// Waits for a future until the deadline.
    pub(super) fn wait<F: Future>(&self, future: F) -> Result<F::Output, Stop> {
        // `SandboxBuilder::build` starts the runtime, so this does not fail in practice.
        runtime().map_err(|_| Stop::Deadline)?.block_on(self.deadline.bound(future))
    }

    /// Applies the checks to a call, and starts its approval if it needs one. The inner error is the message
    /// that the program gets. A call that is approved is not asked about again, but rules and checks apply to it.
    pub(super) fn agree(
        &self,
        (call, stage): (CallNumber, Stage),
        need: Need,
        what: impl Fn() -> String,
        request: impl FnOnce() -> CallRequest,
    ) -> Result<Result<Option<Question>, String>, Stop> {
        // Reading the clock costs more than most calls.
        if !self.oversight.is_decided(&need) {
            return Ok(Ok(None));
        }
        // Time that the checks of the embedder take is not CPU time of the program.
        let asking = match stage {
            Stage::Approved => Asking::Approved,
            Stage::New if self.can_pause => Asking::Deferrable(&self.deferrals),
            Stage::New | Stage::Underway => Asking::ForNow,
        };
        let question = || self.oversight.question(need, (&self.record, call), what, request, asking);
        let agreed = self.deadline.cpu().exclude(question);
        // They may take longer than the run may last; after the deadline no call is made.
        self.deadline.check()?;
        Ok(agreed)
    }
}
