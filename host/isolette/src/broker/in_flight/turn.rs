//! The number of calls that are performed at the same time, in a run and in the process.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of submitted calls that a process performs at the same time. Each may use a connection and some buffers.
const PROCESS_LIMIT: usize = 1024;

static PROCESS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(PROCESS_LIMIT)));

/// The places of a run.
#[derive(Clone, Debug)]
pub(super) struct Places(Arc<Semaphore>);

impl Places {
    pub(super) fn new(limit: u64) -> Self {
        // With no place at all, a program would wait until its deadline.
        let limit = usize::try_from(limit).unwrap_or(usize::MAX).clamp(1, Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(limit)))
    }

    /// Whether further calls have to wait.
    pub(super) fn are_taken(&self) -> bool {
        self.0.available_permits() == 0
    }

    /// The turn of one call.
    pub(super) fn turn(&self) -> Turn {
        Turn { places: self.clone(), held: Arc::default() }
    }
}

/// The turn of one call: awaited before the call is performed, and given back afterwards.
#[derive(Clone, Debug)]
pub(in crate::broker) struct Turn {
    places: Places,
    held: Arc<Mutex<Vec<OwnedSemaphorePermit>>>,
}

impl Turn {
    /// Waits for the turn. Calls of a run get it in the order in which they began to wait.
    pub(in crate::broker) async fn taken(&self) {
        // In this order: `leave_process` keeps the first.
        for places in [&self.places.0, &*PROCESS] {
            // Neither is ever closed.
            if let Ok(permit) = Arc::clone(places).acquire_owned().await {
                self.held.lock().unwrap_or_else(PoisonError::into_inner).push(permit);
            }
        }
    }

    /// Gives the place in the process back, once the call has been performed. A guest that does not fetch a result keeps only a
    /// place of its own run.
    pub(in crate::broker) fn leave_process(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).truncate(1);
    }

    /// Gives the turn back, so that another call can have it although the guest has not got the reply of this one.
    pub(in crate::broker) fn give_back(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
