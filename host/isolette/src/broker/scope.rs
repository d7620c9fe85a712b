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

impl Scope {
    pub(super) fn limits(&self) -> &Limits {
        &self.policy.limits
    }

    pub(super) fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether an approver is asked about a call that can be made anew after a pause.
    pub(super) fn asking(&self, call: CallNumber) -> Asking<'_> {
        match self.deferrals.is_approved(call) {
            true => Asking::Approved,
            false if self.can_pause => Asking::Deferrable(&self.deferrals),
            false => Asking::ForNow,
        }
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
        (call, asking): (CallNumber, Asking<'_>),
        need: Need,
        what: impl Fn() -> String,
        request: impl FnOnce() -> CallRequest,
    ) -> Result<Result<Option<Question>, String>, Stop> {
        // Reading the clock costs more than most calls.
        if !self.oversight.is_decided(&need) {
            return Ok(Ok(None));
        }
        // Time that the checks of the embedder take is not CPU time of the program.
        let question = || self.oversight.question(need, (&self.record, call), what, request, asking);
        let agreed = self.deadline.cpu().exclude(question);
        // They may take longer than the run may last; after the deadline no call is made.
        self.deadline.check()?;
        Ok(agreed)
    }
}
