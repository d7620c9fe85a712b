//! The tasks, each under an unguessable name that grants access to it.
//!
//! The SDK's own store keeps any number of results of any size until they expire. This store is bounded.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{
    ErrorData,
    model::{CreateTaskResult, DetailedTask, ElicitResult, InputRequest, InputResponses, JsonObject, TaskPayload},
};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;

use super::entry::{Entry, Over, SavedQuestion, State};
use crate::server::{approval, handles::chance, running::Ended, state::TaskFacts};

/// Maximum size of all kept results in bytes. The newest is kept regardless of its size.
const BYTES: usize = 64 << 20;

pub(in crate::server) struct Tasks {
    limit: usize,
    entries: Mutex<HashMap<String, Entry>>,
    /// Cancelled when all tasks are cancelled.
    pub(super) all: CancellationToken,
}

impl Tasks {
    pub(in crate::server) fn new(limit: usize) -> Self {
        Self { limit, entries: Mutex::default(), all: CancellationToken::new() }
    }

    /// Adds a task for a program that takes at most `longest`, and returns its id, its description and its cancellation
    /// token. `None` if there is no room: only fetched results are removed to make room.
    pub(super) fn begin(&self, longest: Duration) -> Option<(String, CreateTaskResult, CancellationToken)> {
        let mut entries = self.entries();
        while entries.len() >= self.limit {
            let fetched = over(&entries).filter(|(_, over)| !over.awaited);
            let oldest = fetched.min_by_key(|(_, over)| over.since).map(|(id, _)| id.clone())?;
            entries.remove(&oldest);
        }
        let id = format!("task-{}", chance());
        let cancel = self.all.child_token();
        let entry = Entry::new(longest, cancel.clone());
        let created = CreateTaskResult::new(entry.task(&id));
        entries.insert(id.clone(), entry);
        Some((id, created, cancel))
    }

    /// Adds a question to a task. `longest` is the longest time until its end, if the program waits in a file. `None` if the
    /// task no longer exists.
    pub(super) fn ask(
        &self,
        id: &str,
        request: InputRequest,
        saved: Option<SavedQuestion>,
        longest: Duration,
    ) -> Option<oneshot::Receiver<Decision>> {
        self.entries().get_mut(id).map(|entry| {
            if saved.is_some() {
                entry.last(longest);
            }
            entry.ask(request, saved)
        })
    }

    /// Whether a task of this name exists.
    pub(in crate::server) fn is_known(&self, id: &str) -> bool {
        self.entries().contains_key(id)
    }

    /// Removes the question of a task, after an answer or the end of the program.
    pub(super) fn go_on(&self, id: &str) {
        if let Some(entry) = self.entries().get_mut(id)
            && let State::Asked { .. } = entry.state
        {
            entry.change(State::Working);
        }
    }

    /// Ends a task, and returns those whose results made room for it.
    pub(super) fn end(&self, id: &str, ended: Result<Ended, ErrorData>) -> Vec<String> {
        // Serialized before the lock is taken, because it can be long.
        let (payload, bytes) = match ended {
            Ok(Ended { cancelled: true, .. }) => (TaskPayload::Cancelled, 0),
            Ok(Ended { result, .. }) => {
                let payload = TaskPayload::Completed { result: object(&result) };
                let bytes = bytes(&payload);
                (payload, bytes)
            }
            Err(error) => (failed(&error), 0),
        };
        let mut entries = self.entries();
        if let Some(entry) = entries.get_mut(id) {
            entry.end(payload, bytes);
        }
        make_room(&mut entries, id)
    }

    /// Makes room for the results of an earlier process, and returns the tasks whose results went.
    pub(super) fn make_room(&self) -> Vec<String> {
        make_room(&mut self.entries(), "")
    }

    /// Returns the state of a task, and whether a result is fetched for the first time. It counts as fetched then.
    pub(super) fn get(&self, id: &str) -> Result<(DetailedTask, bool), ErrorData> {
        let mut entries = self.entries();
        let entry = entries.get_mut(id).ok_or_else(unknown)?;
        let (is_first, task, payload) = (entry.is_awaited(), entry.task(id), entry.payload());
        drop(entries);
        Ok((DetailedTask::new(task, Arc::unwrap_or_clone(payload)), is_first))
    }

    /// The facts about a task if these are an answer to its question, and another process could ask that again.
    pub(super) fn answerable(&self, id: &str, responses: &InputResponses) -> Result<Option<TaskFacts>, ErrorData> {
        let entries = self.entries();
        let entry = entries.get(id).ok_or_else(unknown)?;
        let State::Asked { name, saved: Some(_), .. } = &entry.state else { return Ok(None) };
        let is_answer = responses.get(name).map(|response| answer(name, response)).transpose()?.is_some();
        Ok(is_answer.then(|| entry.facts().clone()))
    }

    /// Passes answers to the pending question. Answers to other questions are ignored, as the protocol requires.
    pub(super) fn update(&self, id: &str, responses: &InputResponses) -> Result<(), ErrorData> {
        let mut entries = self.entries();
        let entry = entries.get_mut(id).ok_or_else(unknown)?;
        let State::Asked { name, .. } = &entry.state else { return Ok(()) };
        let Some(response) = responses.get(name) else { return Ok(()) };
        let answered = answer(name, response)?;
        if let State::Asked { answer, .. } = entry.change(State::Working) {
            let _ = answer.send(approval::decision(&answered));
        }
        Ok(())
    }

    /// Cancels the program of a task, if it has not ended.
    pub(in crate::server) fn cancel(&self, id: &str) -> Result<(), ErrorData> {
        self.entries().get(id).map(|entry| entry.cancel.cancel()).ok_or_else(unknown)
    }

    /// Cancels all tasks, including those that start later.
    pub(in crate::server) fn cancel_all(&self) {
        self.all.cancel();
    }

    /// Number of tasks whose program has not ended, and does not wait in a file.
    pub(in crate::server) fn in_flight(&self) -> usize {
        let is_in_flight = |entry: &&Entry| match &entry.state {
            State::Working => true,
            State::Asked { saved, .. } => saved.is_none(),
            State::Over(_) => false,
        };
        self.entries().values().filter(is_in_flight).count()
    }

    /// Number of results that were not fetched yet.
    pub(in crate::server) fn awaited(&self) -> usize {
        over(&self.entries()).filter(|(_, over)| over.awaited).count()
    }

    /// Removes expired tasks.
    pub(in crate::server) fn sweep(&self) {
        drop(self.entries());
    }

    /// Number of tasks, kept results included.
    pub(in crate::server) fn count(&self) -> usize {
        self.entries().len()
    }

    pub(super) fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, entry| !entry.is_forgotten());
        entries
    }
}

fn over(entries: &HashMap<String, Entry>) -> impl Iterator<Item = (&String, &Over)> {
    entries.iter().filter_map(|(id, entry)| Some((id, entry.over()?)))
}

/// Removes results until the newest one fits: first fetched ones, then the oldest. A task whose result was not fetched
/// can still be reported as failed, since its end was not reported to the client.
fn make_room(entries: &mut HashMap<String, Entry>, newest: &str) -> Vec<String> {
    let mut made_room = Vec::new();
    while over(entries).map(|(_, over)| over.bytes).sum::<usize>() > BYTES {
        let others = over(entries).filter(|(id, over)| over.bytes > 0 && *id != newest);
        let oldest =
            others.min_by_key(|(_, over)| (over.awaited, over.since)).map(|(id, over)| (id.clone(), over.awaited));
        match oldest {
            None => break,
            Some((id, false)) => drop(entries.remove(&id)),
            Some((id, true)) => {
                let why = "the program has ended, and its result was too long to be kept beside those of others";
                if let Some(entry) = entries.get_mut(&id) {
                    entry.end(failed(&ErrorData::internal_error(why, None)), 0);
                }
                made_room.push(id);
            }
        }
    }
    made_room
}

/// The length of a result as JSON.
pub(super) fn bytes(payload: &TaskPayload) -> usize {
    match payload {
        TaskPayload::Completed { result } => serde_json::to_string(result).map_or(0, |text| text.len()),
        _ => 0,
    }
}

fn failed(error: &ErrorData) -> TaskPayload {
    TaskPayload::Failed { error: object(error) }
}

pub(super) fn object(value: &impl Serialize) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}

fn answer(name: &str, response: &Value) -> Result<ElicitResult, ErrorData> {
    serde_json::from_value(response.clone()).map_err(|error| {
        ErrorData::invalid_params(format!("the answer `{name}` is none to `elicitation/create`: {error}"), None)
    })
}

fn unknown() -> ErrorData {
    ErrorData::invalid_params("there is no such task, or its result was kept for long enough", None)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolResult, ContentBlock, TaskStatus};

    use super::*;

    fn begin(tasks: &Tasks) -> Option<String> {
        tasks.begin(Duration::from_secs(60)).map(|(id, ..)| id)
    }

    fn end(tasks: &Tasks, id: &str, bytes: usize) {
        let result = CallToolResult::success(vec![ContentBlock::text("x".repeat(bytes))]);
        tasks.end(id, Ok(Ended { result, cancelled: false }));
    }

    fn status(tasks: &Tasks, id: &str) -> Option<TaskStatus> {
        tasks.get(id).ok().map(|(task, _)| task.status())
    }

    #[test]
    fn results_have_an_end_and_the_newest_stays() {
        let tasks = Tasks::new(10);
        let ids: Vec<_> = (0..4).filter_map(|_| begin(&tasks)).collect();
        end(&tasks, &ids[1], BYTES / 2);
        end(&tasks, &ids[0], BYTES / 2);
        assert_eq!(status(&tasks, &ids[0]), Some(TaskStatus::Completed));
        assert_eq!(status(&tasks, &ids[1]), Some(TaskStatus::Failed), "the oldest goes, whichever began first");
        end(&tasks, &ids[2], BYTES / 2);
        assert_eq!(status(&tasks, &ids[0]), None, "it was fetched");
        end(&tasks, &ids[3], BYTES * 2);
        assert_eq!(status(&tasks, &ids[2]), Some(TaskStatus::Failed));
        assert_eq!(status(&tasks, &ids[3]), Some(TaskStatus::Completed));
    }

    #[test]
    fn only_what_was_fetched_makes_room_for_another() {
        let tasks = Tasks::new(2);
        let (first, second) = (begin(&tasks).unwrap(), begin(&tasks).unwrap());
        assert!(begin(&tasks).is_none(), "a running task is not ended for others");
        assert_eq!(tasks.in_flight(), 2);
        end(&tasks, &first, 1);
        end(&tasks, &second, 1);
        assert!(begin(&tasks).is_none(), "what was promised is kept");
        assert_eq!((tasks.in_flight(), tasks.awaited()), (0, 2));
        tasks.get(&second).unwrap();
        assert_eq!(tasks.awaited(), 1);
        assert!(begin(&tasks).is_some());
        assert_eq!((status(&tasks, &second), status(&tasks, &first)), (None, Some(TaskStatus::Completed)));
    }

    #[test]
    fn a_cancelled_caller_is_not_waited_for() {
        let tasks = Tasks::new(2);
        let (id, _, cancel) = tasks.begin(Duration::from_secs(60)).unwrap();
        tasks.cancel_all();
        assert!(cancel.is_cancelled());
        tasks.end(&id, Ok(Ended { result: CallToolResult::default(), cancelled: true }));
        assert_eq!((tasks.awaited(), tasks.count()), (0, 1));
        assert!(tasks.begin(Duration::ZERO).unwrap().2.is_cancelled(), "and none begins any more");
    }

    #[test]
    fn a_task_is_kept_for_the_announced_lifetime() {
        let tasks = Tasks::new(2);
        let (id, created, _) = tasks.begin(Duration::from_secs(60)).unwrap();
        end(&tasks, &id, 1);
        assert_eq!(created.task.ttl_ms, Some((60 + 15 * 60) * 1000));
        assert_eq!(tasks.get(&id).unwrap().0.task.ttl_ms, created.task.ttl_ms);
    }
}
