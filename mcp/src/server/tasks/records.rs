//! Tasks as records: those for another process, and those of an earlier process.

use std::{sync::Arc, time::Instant};

use isolette::CancellationToken;
use rmcp::model::TaskPayload;

use super::{
    entry::{Entry, Over, State},
    store::{Tasks, bytes},
};
use crate::server::state::{Finished, TaskFacts, TaskStage};

impl Tasks {
    /// Adds a task of an earlier process, unless its time is up, and returns its cancellation token.
    pub(super) fn begin_again(&self, id: &str, facts: TaskFacts) -> Option<CancellationToken> {
        let cancel = self.all.child_token();
        let entry = Entry::again(facts, cancel.clone(), State::Working);
        self.insert(id, entry).then_some(cancel)
    }

    /// Adds a task of an earlier process that has ended, unless its time is up.
    pub(super) fn end_again(&self, id: &str, facts: TaskFacts, end: Finished, fetched: bool) {
        let (payload, awaited) = match end {
            Finished::Completed(result) => (TaskPayload::Completed { result }, !fetched),
            Finished::Failed(error) => (TaskPayload::Failed { error }, !fetched),
            Finished::Cancelled => (TaskPayload::Cancelled, false),
        };
        let bytes = bytes(&payload);
        let over = Over { payload: Arc::new(payload), bytes, since: Instant::now(), awaited };
        self.insert(id, Entry::again(facts, self.all.child_token(), State::Over(over)));
    }

    /// Returns whether the task is still to be kept.
    fn insert(&self, id: &str, entry: Entry) -> bool {
        let is_alive = !entry.is_forgotten();
        if is_alive {
            self.entries().insert(id.to_owned(), entry);
        }
        is_alive
    }

    /// The facts and the stage of a task for another process. `None` if the task does not exist.
    pub(super) fn stage(&self, id: &str) -> Option<(TaskFacts, TaskStage)> {
        let (facts, payload, fetched) = {
            let entries = self.entries();
            let entry = entries.get(id)?;
            if let Some(stage) = entry.stage() {
                return Some(stage);
            }
            let over = entry.over()?;
            (entry.facts().clone(), Arc::clone(&over.payload), !over.awaited)
        };
        let end = match Arc::unwrap_or_clone(payload) {
            TaskPayload::Completed { result } => Finished::Completed(result),
            TaskPayload::Failed { error } => Finished::Failed(error),
            _ => Finished::Cancelled,
        };
        Some((facts, TaskStage::Finished { end, fetched }))
    }
}
