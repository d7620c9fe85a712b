//! What a function of the embedder's knows of the call.

use std::{
    sync::{Mutex, PoisonError, Weak},
    time::{Duration, Instant},
};

use super::Resources;
use crate::{
    Identifier,
    broker::{Deadline, Record},
};

/// What is known of a call by whoever serves it: which run it is of, how long that may last, and where to leave a note.
///
/// It may be cloned and kept, which keeps nothing alive but a few bytes: no resource of the guest's, nor its record.
#[derive(Clone, Debug)]
pub struct CallContext {
    pub(crate) run: Identifier,
    pub(crate) deadline: Deadline,
    pub(crate) record: Weak<Mutex<Record>>,
    /// Which of the calls on record it is.
    pub(crate) call: u64,
    pub(crate) resources: Resources,
}

impl CallContext {
    /// The run that the call is of, as [`ExecutionResult::run`](crate::ExecutionResult::run), the audit and traces have it.
    #[must_use]
    pub fn run(&self) -> Identifier {
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

    /// Leaves a note with the call in the record of the run: [`CallRecord::note`](crate::CallRecord::note). At most 256
    /// characters are kept; a later note replaces an earlier one. Once the call has ended it is too late, and a note goes
    /// nowhere.
    pub fn note(&self, note: &str) {
        if let Some(record) = self.record.upgrade() {
            record.lock().unwrap_or_else(PoisonError::into_inner).note(self.call, note);
        }
    }

    /// The resources that the guest holds.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }
}
