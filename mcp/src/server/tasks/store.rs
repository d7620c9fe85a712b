//! The tasks that there are, each under a name that nobody can guess: whoever knows it is who the program belongs to.
//!
//! The SDK brings a store too, that keeps any number of results of any size until their time is up. This one has an end.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use isolette::CancellationToken;
use rmcp::{
    ErrorData,
    model::{CreateTaskResult, DetailedTask, ElicitResult, InputRequest, InputResponses},
};
use tokio::sync::oneshot;

use super::entry::{Entry, State};
use crate::server::{approval, handles::chance, running::Ended};
use isolette::policy::Decision;

/// Bytes of all results that are kept; the oldest go first. The newest stays, however large it is.
const BYTES: usize = 64 << 20;

pub(in crate::server) struct Tasks {
    limit: usize,
    entries: Mutex<HashMap<String, Entry>>,
}

impl Tasks {
    pub(in crate::server) fn new(limit: usize) -> Self {
        Self { limit, entries: Mutex::default() }
    }

    /// Begins one for a program that is under way, which cancels the token when the client says so. `None` if there is no room,
    /// because there are so many that have not ended.
    pub(super) fn begin(&self, cancel: CancellationToken) -> Option<(String, CreateTaskResult)> {
        let mut entries = self.entries();
        while entries.len() >= self.limit {
            forget_oldest(&mut entries)?;
        }
        let id = format!("task_{}", chance());
        let entry = Entry::new(cancel);
        let created = CreateTaskResult::new(entry.task(&id));
        entries.insert(id.clone(), entry);
        Some((id, created))
    }

    /// Shows a question to whoever asks for the task. `None` if nobody can any more.
    pub(super) fn ask(&self, id: &str, request: InputRequest) -> Option<oneshot::Receiver<Decision>> {
        self.entries().get_mut(id).map(|entry| entry.ask(request))
    }

    /// The question has an answer, or needs none any more.
    pub(super) fn go_on(&self, id: &str) {
        if let Some(entry) = self.entries().get_mut(id)
            && let State::Asked { .. } = entry.state
        {
            entry.change(State::Working);
        }
    }

    pub(super) fn end(&self, id: &str, ended: Result<Ended, ErrorData>) {
        let mut entries = self.entries();
        if let Some(entry) = entries.get_mut(id) {
            match ended {
                Ok(ended) => entry.end(ended),
                Err(error) => entry.fail(&error),
            }
        }
        while over(&entries).count() > 1 && over(&entries).map(|(_, over)| over.bytes).sum::<usize>() > BYTES {
            forget_oldest(&mut entries);
        }
    }

    /// What is to be said of a task. A result that was told is not waited for any more.
    pub(in crate::server) fn get(&self, id: &str) -> Result<DetailedTask, ErrorData> {
        self.entries().get_mut(id).map(|entry| entry.detailed(id)).ok_or_else(unknown)
    }

    /// Hands the answers to questions over. Those to questions that are no longer asked are passed over, as the protocol
    /// says.
    pub(in crate::server) fn update(&self, id: &str, responses: &InputResponses) -> Result<(), ErrorData> {
        let mut entries = self.entries();
        let entry = entries.get_mut(id).ok_or_else(unknown)?;
        let State::Asked { name, .. } = &entry.state else { return Ok(()) };
        let Some(response) = responses.get(name) else { return Ok(()) };
        let answered: ElicitResult = serde_json::from_value(response.clone()).map_err(|error| {
            ErrorData::invalid_params(format!("the answer `{name}` is none to `elicitation/create`: {error}"), None)
        })?;
        if let State::Asked { answer, .. } = std::mem::replace(&mut entry.state, State::Working) {
            let _ = answer.send(approval::decision(&answered));
        }
        entry.change(State::Working);
        Ok(())
    }

    /// Has a program ended, if it has not come to its end already.
    pub(in crate::server) fn cancel(&self, id: &str) -> Result<(), ErrorData> {
        self.entries().get(id).map(|entry| entry.cancel.cancel()).ok_or_else(unknown)
    }

    /// Results that nobody has come for yet.
    pub(in crate::server) fn awaited(&self) -> usize {
        over(&self.entries()).filter(|(_, over)| over.awaited).count()
    }

    /// How many there are, with the results that are kept.
    pub(in crate::server) fn count(&self) -> usize {
        self.entries().len()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, entry| !entry.is_forgotten());
        entries
    }
}

fn over(entries: &HashMap<String, Entry>) -> impl Iterator<Item = (&String, &super::entry::Over)> {
    entries.iter().filter_map(|(id, entry)| Some((id, entry.over()?)))
}

/// `None` if nothing has come to its end.
fn forget_oldest(entries: &mut HashMap<String, Entry>) -> Option<()> {
    // Results that were fetched first: nobody needs them any more.
    let oldest = over(entries).min_by_key(|(_, over)| (over.awaited, over.since)).map(|(id, _)| id.clone())?;
    entries.remove(&oldest).map(drop)
}

fn unknown() -> ErrorData {
    ErrorData::invalid_params("there is no such task, or its result was kept for long enough", None)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{CallToolResult, ContentBlock, TaskStatus};

    use super::*;

    fn begin(tasks: &Tasks) -> Option<String> {
        tasks.begin(CancellationToken::new()).map(|(id, _)| id)
    }

    fn end(tasks: &Tasks, id: &str, bytes: usize) {
        let result = CallToolResult::success(vec![ContentBlock::text("x".repeat(bytes))]);
        tasks.end(id, Ok(Ended { result, cancelled: false }));
    }

    #[test]
    fn results_have_an_end_and_the_newest_stays() {
        let tasks = Tasks::new(10);
        let ids: Vec<_> = (0..3).filter_map(|_| begin(&tasks)).collect();
        end(&tasks, &ids[1], BYTES / 2);
        end(&tasks, &ids[0], BYTES / 2);
        assert!(tasks.get(&ids[1]).is_err(), "the oldest result goes, whichever began first");
        assert_eq!(tasks.get(&ids[0]).unwrap().status(), TaskStatus::Completed);
        end(&tasks, &ids[2], BYTES * 2);
        assert!(tasks.get(&ids[0]).is_err());
        assert_eq!(tasks.get(&ids[2]).unwrap().status(), TaskStatus::Completed);
    }

    #[test]
    fn what_was_fetched_makes_room_first() {
        let tasks = Tasks::new(2);
        let (first, second) = (begin(&tasks).unwrap(), begin(&tasks).unwrap());
        assert!(begin(&tasks).is_none(), "what is under way is not ended for others");
        end(&tasks, &first, 1);
        end(&tasks, &second, 1);
        assert_eq!(tasks.awaited(), 2);
        tasks.get(&second).unwrap();
        assert_eq!(tasks.awaited(), 1);
        assert!(begin(&tasks).is_some());
        assert!(tasks.get(&second).is_err());
        assert!(tasks.get(&first).is_ok());
    }
}
