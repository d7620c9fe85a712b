//! Lists the files that a run changed in `/output`, without blocking the caller.

use std::sync::{Arc, TryLockError};

use crate::guest_context::GuestContext;
use isolette_deadline::{Deadline, runtime};
use isolette_files::{Changes, Files};
use isolette_types::OutputFile;
use isolette_work::Call;

/// The files to look at.
pub(super) struct OutputScan {
    files: Arc<Files>,
    /// Nothing if the guest was left in the middle of a call for files: nobody can tell when that comes back.
    changes: Option<Changes>,
    digests: bool,
    deadline: Deadline,
}

impl OutputScan {
    /// Whoever stopped the run waits for its end, and digests may take a second. For others the time of the run is that of the
    /// digests too.
    pub(super) fn new(guest: &GuestContext, stopped: bool, deadline: Deadline) -> Self {
        let changes = match guest.quota.try_lock() {
            Ok(mut quota) => Some(quota.take_changes()),
            Err(TryLockError::Poisoned(quota)) => Some(quota.into_inner().take_changes()),
            Err(TryLockError::WouldBlock) => None,
        };
        Self { files: Arc::clone(&guest.files), changes, digests: !stopped, deadline }
    }

    /// The files, and whether there are more than are listed.
    pub(super) fn list(self) -> (Vec<OutputFile>, bool) {
        match &self.changes {
            Some(changes) if changes.is_none() => (Vec::new(), false),
            Some(changes) => Call::new(self.deadline).within(|| self.files.changed_output(changes, self.digests)),
            None => (Vec::new(), true),
        }
    }

    /// The same for a caller whose thread others wait for. Most runs leave nothing, and those need no other thread.
    pub(super) async fn list_elsewhere(self) -> (Vec<OutputFile>, bool) {
        let nothing = self.changes.as_ref().is_none_or(Changes::is_none);
        match runtime() {
            Ok(runtime) if !nothing => {
                runtime.spawn_blocking(|| self.list()).await.unwrap_or_else(|_| (Vec::new(), true))
            }
            _ => self.list(),
        }
    }
}
