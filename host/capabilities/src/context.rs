//! What an implementation of an interface knows of a call.

use std::{
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_deadline::Deadline;
use isolette_types::RunId;

use super::Resources;

/// Keeps notes about the calls of a run, for as long as its record is there.
pub trait CallNotes: Send + Sync {
    /// Keeps a note about the call of this number, if it has not ended yet.
    fn note(&self, call: u64, note: &str);
}

/// What an implementation of an interface knows of a call: the run, how long that may last, the resources of the guest, and
/// where to leave a note.
///
/// It may be cloned and kept. It keeps no resource of the guest alive, nor the record of its run.
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
    /// The context of a call, by the number that it has in its run.
    #[must_use]
    pub fn new(run: RunId, deadline: Deadline, notes: Arc<dyn CallNotes>, call: u64, resources: Resources) -> Self {
        Self { run, deadline, notes, call, resources }
    }

    /// The run that the call is of, as [`ExecutionResult::run`](isolette_types::ExecutionResult::run), the audit and traces
    /// have it.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.run
    }

    /// When the run has to be over, at the latest. Nobody waits for the result after that.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.deadline.at()
    }

    /// How long the run may still take.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.deadline.left()
    }

    /// The run has been cancelled or its time is over: whatever is done now is done for nobody. A function that blocks for
    /// long should look from time to time; one that is awaited is dropped by itself.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.deadline.check().is_err()
    }

    /// Waits until the run is cancelled or its time is over.
    pub async fn cancelled(&self) {
        self.deadline.passed().await;
    }

    /// Leaves a note with the call in the record of the run: [`CallRecord::note`](isolette_types::CallRecord::note). At most
    /// 256
    /// characters are kept; a later note replaces an earlier one. Once the call has ended it is too late, and a note goes
    /// nowhere.
    pub fn note(&self, note: &str) {
        self.notes.note(self.call, note);
    }

    /// The resources that the guest holds.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }
}
