//! What a function of the embedder's knows of the call.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::Resources;
use crate::broker::{Deadline, Record};

/// What is known of a call by whoever serves it: which run it is of, how long that may last, and where to leave a note.
///
/// It may be cloned and kept, which keeps nothing alive but a few bytes.
#[derive(Clone, Debug)]
pub struct CallContext {
    pub(crate) run: u64,
    pub(crate) deadline: Deadline,
    pub(crate) record: Arc<Mutex<Record>>,
    pub(crate) resources: Resources,
}

impl CallContext {
    /// The run that the call is of. No two runs of a process have the same.
    #[must_use]
    pub fn run_id(&self) -> u64 {
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
    /// characters are kept; a later note replaces an earlier one.
    pub fn note(&self, note: &str) {
        self.record.lock().unwrap_or_else(PoisonError::into_inner).note(note);
    }

    /// The resources that the guest holds.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }
}
