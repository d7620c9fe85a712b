//! Lists the files that a run changed in `/output`, without blocking the caller.

use std::sync::{Arc, TryLockError};

use crate::guest_context::GuestContext;
use isolette_deadline::{Deadline, runtime};
use isolette_files::{Changes, Files};
use isolette_types::OutputFile;
use isolette_work::Call;

/// The files to scan.
pub(super) struct OutputScan {
    files: Arc<Files>,
    /// `None` if the guest was abandoned during a call for files: that call may never return.
    changes: Option<Changes>,
    digests: bool,
    deadline: Deadline,
}

impl OutputScan {
    /// Takes the changes of the run. After the host stopped a run, no digests are made: the caller is waiting, and they
    /// may take a second. Otherwise digests are made within the deadline of the run.
    pub(super) fn new(guest: &GuestContext, stopped: bool, deadline: Deadline) -> Self {
        let changes = match guest.quota.try_lock() {
            Ok(mut quota) => Some(quota.take_changes()),
            Err(TryLockError::Poisoned(quota)) => Some(quota.into_inner().take_changes()),
            Err(TryLockError::WouldBlock) => None,
        };
        Self { files: Arc::clone(&guest.files), changes, digests: !stopped, deadline }
    }

    /// Returns the files, and whether there are more than are listed.
    pub(super) fn list(self) -> (Vec<OutputFile>, bool) {
        match &self.changes {
            Some(changes) if changes.is_none() => (Vec::new(), false),
            Some(changes) => Call::new(self.deadline).within(|| self.files.changed_output(changes, self.digests)),
            None => (Vec::new(), true),
        }
    }

    /// The same for asynchronous callers, whose thread must not block. Most runs change nothing and need no other
    /// thread.
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
