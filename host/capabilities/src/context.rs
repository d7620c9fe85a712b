//! The context of a call, for implementations of interfaces.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_deadline::Deadline;
use isolette_types::RunId;

use super::Resources;

/// Receives notes about the calls of a run, while the record of the run exists.
pub trait CallNotes: Send + Sync {
    /// Adds a note to the call of this number, if it has not ended yet.
    fn note(&self, call: u64, note: &str);
}

/// What an implementation of an interface can use during a call: the run, its deadline, the resources of the guest, and
/// notes for the record.
///
/// It can be cloned and kept; that keeps neither a resource of the guest alive nor the record of the run.
#[derive(Clone)]
pub struct CallContext {
    run: RunId,
    deadline: Deadline,
    notes: Arc<dyn CallNotes>,
    call: u64,
    resources: Resources,
}

impl fmt::Debug for CallContext {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallContext").field("run", &self.run).field("call", &self.call).finish_non_exhaustive()
    }
}

impl CallContext {
    /// Makes the context of a call. `call` is the number of the call in its run.
    #[must_use]
    pub fn new(run: RunId, deadline: Deadline, notes: Arc<dyn CallNotes>, call: u64, resources: Resources) -> Self {
        Self { run, deadline, notes, call, resources }
    }

    /// The run of the call, as in [`ExecutionResult::run`](isolette_types::ExecutionResult::run), the audit and traces.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// The deadline of the run. A result that is returned later is discarded.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline.at()
    }

    /// The time that remains until the deadline of the run.
    #[must_use]
    pub fn time_remaining(&self) -> Duration {
        self.deadline.remaining()
    }

    /// Whether the run has been cancelled or its deadline has passed, so that the result would be discarded. A function
    /// that blocks for long should check this regularly; a future is dropped automatically.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.deadline.check().is_err()
    }

    /// Waits until the run is cancelled or its deadline has passed.
    pub async fn cancelled(&self) {
        self.deadline.passed().await;
    }

    /// Adds a note to the call in the record of the run: [`CallRecord::note`](isolette_types::CallRecord::note). At
    /// most 256 characters are kept; a later note replaces an earlier one. A note after the end of the call is
    /// discarded.
    pub fn note(&self, note: &str) {
        self.notes.note(self.call, note);
    }

    /// Returns the resources that the guest holds.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }
}
