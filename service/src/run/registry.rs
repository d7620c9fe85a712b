//! The runs that have not ended, or whose end is not stored yet.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::LiveRun;
use crate::failure::Failure;

/// Runs by their identifiers.
#[derive(Debug, Default)]
pub(crate) struct LiveRuns(Mutex<HashMap<String, Arc<LiveRun>>>);

impl LiveRuns {
    /// Adds a run, unless its caller has `limit` of them.
    pub(crate) fn add(&self, run: &Arc<LiveRun>, limit: usize) -> Result<(), Failure> {
        let mut runs = self.lock();
        let count = runs.values().filter(|other| other.owner == run.owner && !other.has_ended()).count();
        if count >= limit {
            return Err(Failure::busy(
                format!("{count} runs have not ended, as many as one caller can have"),
                "wait for some of them, or cancel them",
            ));
        }
        runs.insert(run.id.clone(), Arc::clone(run));
        Ok(())
    }

    /// Adds a run that an earlier process has admitted.
    pub(crate) fn restore(&self, run: &Arc<LiveRun>) {
        self.lock().insert(run.id.clone(), Arc::clone(run));
    }

    /// Forgets a run whose end is stored.
    pub(crate) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    pub(crate) fn find(&self, owner: &str, id: &str) -> Option<Arc<LiveRun>> {
        self.lock().get(id).filter(|run| &*run.owner == owner).cloned()
    }

    /// The runs of a caller that have not ended.
    pub(crate) fn of_caller(&self, owner: &str) -> Vec<Arc<LiveRun>> {
        self.lock().values().filter(|run| &*run.owner == owner).cloned().collect()
    }

    /// The runs of a sandbox that have not ended.
    pub(crate) fn in_sandbox(&self, sandbox: &str) -> Vec<Arc<LiveRun>> {
        self.lock().values().filter(|run| run.sandbox.as_deref() == Some(sandbox)).cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveRun>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }
}
