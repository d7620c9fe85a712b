//! One task, and what its client is told of it.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{
    ErrorData,
    model::{CallToolResult, DetailedTask, InputRequest, JsonObject, Task, TaskPayload, TaskStatus},
    task_manager::{DEFAULT_POLL_INTERVAL_MS, current_timestamp},
};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;

use crate::server::{patience::LONGEST, running::Ended};

/// How long a result is kept.
pub(super) const KEPT: Duration = Duration::from_secs(15 * 60);

pub(super) struct Entry {
    created: Instant,
    created_at: String,
    updated_at: String,
    /// Questions that were asked so far. No two have one name.
    questions: usize,
    pub(super) cancel: CancellationToken,
    pub(super) state: State,
}

pub(super) enum State {
    Working,
    Asked { name: String, request: Box<InputRequest>, answer: oneshot::Sender<Decision> },
    Over(Over),
}

pub(super) struct Over {
    payload: TaskPayload,
    pub(super) bytes: usize,
    pub(super) since: Instant,
    /// Nobody has come for it yet.
    pub(super) awaited: bool,
}

impl Entry {
    pub(super) fn new(cancel: CancellationToken) -> Self {
        let now = current_timestamp();
        let (created_at, updated_at) = (now.clone(), now);
        Self { created: Instant::now(), created_at, updated_at, questions: 0, cancel, state: State::Working }
    }

    /// As a call is answered with it, with which its identifier begins to be known.
    pub(super) fn task(&self, id: &str) -> Task {
        let (status, message) = match &self.state {
            State::Working => (TaskStatus::Working, Some("the program is under way")),
            State::Asked { .. } => (TaskStatus::InputRequired, Some("the program waits for somebody's approval")),
            State::Over(over) => (over.payload.status(), None),
        };
        let task = Task::new(id, status, self.created_at.clone(), self.updated_at.clone())
            .with_ttl_ms(u64::try_from(self.lives().as_millis()).unwrap_or(u64::MAX))
            .with_poll_interval_ms(DEFAULT_POLL_INTERVAL_MS);
        match message {
            Some(message) => task.with_status_message(message),
            None => task,
        }
    }

    /// All that there is to know.
    pub(super) fn detailed(&mut self, id: &str) -> DetailedTask {
        let task = self.task(id);
        let payload = match &mut self.state {
            State::Working => TaskPayload::Working,
            State::Asked { name, request, .. } => {
                TaskPayload::InputRequired { input_requests: BTreeMap::from([(name.clone(), (**request).clone())]) }
            }
            State::Over(over) => {
                over.awaited = false;
                over.payload.clone()
            }
        };
        DetailedTask::new(task, payload)
    }

    /// From its creation on.
    fn lives(&self) -> Duration {
        let ended = match &self.state {
            State::Over(over) => over.since.saturating_duration_since(self.created),
            _ => LONGEST,
        };
        ended.saturating_add(KEPT)
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.created.elapsed() >= self.lives()
    }

    pub(super) fn over(&self) -> Option<&Over> {
        match &self.state {
            State::Over(over) => Some(over),
            _ => None,
        }
    }

    pub(super) fn ask(&mut self, request: InputRequest) -> oneshot::Receiver<Decision> {
        self.questions += 1;
        let (answer, decision) = oneshot::channel();
        self.change(State::Asked { name: format!("approval-{}", self.questions), request: Box::new(request), answer });
        decision
    }

    pub(super) fn end(&mut self, ended: Ended) {
        let Ended { result, cancelled } = ended;
        self.finish(match cancelled {
            true => TaskPayload::Cancelled,
            false => completed(&result),
        });
    }

    pub(super) fn fail(&mut self, error: &ErrorData) {
        self.finish(TaskPayload::Failed { error: object(error) });
    }

    fn finish(&mut self, payload: TaskPayload) {
        let bytes = match &payload {
            TaskPayload::Completed { result } => serde_json::to_string(result).map_or(0, |text| text.len()),
            _ => 0,
        };
        self.change(State::Over(Over { payload, bytes, since: Instant::now(), awaited: true }));
    }

    pub(super) fn change(&mut self, state: State) {
        self.state = state;
        self.updated_at = current_timestamp();
    }
}

fn completed(result: &CallToolResult) -> TaskPayload {
    TaskPayload::Completed { result: object(result) }
}

fn object(value: &impl Serialize) -> JsonObject {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        _ => JsonObject::new(),
    }
}
