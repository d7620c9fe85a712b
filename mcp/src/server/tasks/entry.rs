//! One task, and its state as the client sees it.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{
    model::{InputRequest, Task, TaskPayload, TaskStatus},
    task_manager::{DEFAULT_POLL_INTERVAL_MS, current_timestamp},
};
use tokio::sync::oneshot;

/// How long a result is kept after the latest possible end of the program.
const KEPT: Duration = Duration::from_secs(15 * 60);

pub(super) struct Entry {
    created: Instant,
    created_at: String,
    updated_at: String,
    /// Time from its creation until it is removed. It is announced to the client, so it must be kept.
    lifetime: Duration,
    /// Number of questions so far, from which their unique names are made.
    questions: usize,
    pub(super) cancel: CancellationToken,
    pub(super) state: State,
}

pub(super) enum State {
    Working,
    Asked { name: String, request: Box<InputRequest>, answer: oneshot::Sender<Decision> },
    Over(Over),
}

/// The end of a task.
pub(super) struct Over {
    pub(super) payload: Arc<TaskPayload>,
    /// Size of the payload as JSON, in bytes.
    pub(super) bytes: usize,
    pub(super) since: Instant,
    /// Whether there is a result that was not fetched yet.
    pub(super) awaited: bool,
}

impl Entry {
    /// A task of a program that takes at most this long.
    pub(super) fn new(longest: Duration, cancel: CancellationToken) -> Self {
        let now = current_timestamp();
        Self {
            created: Instant::now(),
            created_at: now.clone(),
            updated_at: now,
            lifetime: longest.saturating_add(KEPT),
            questions: 0,
            cancel,
            state: State::Working,
        }
    }

    /// The description of the task for the protocol.
    pub(super) fn task(&self, id: &str) -> Task {
        let (status, message) = match &self.state {
            State::Working => (TaskStatus::Working, Some("the program is running")),
            State::Asked { .. } => (TaskStatus::InputRequired, Some("the program waits for approval")),
            State::Over(over) => (over.payload.status(), None),
        };
        let task = Task::new(id, status, self.created_at.clone(), self.updated_at.clone())
            .with_ttl_ms(u64::try_from(self.lifetime.as_millis()).unwrap_or(u64::MAX))
            .with_poll_interval_ms(DEFAULT_POLL_INTERVAL_MS);
        match message {
            Some(message) => task.with_status_message(message),
            None => task,
        }
    }

    /// The payload of the current state. A result counts as fetched after this.
    pub(super) fn payload(&mut self) -> Arc<TaskPayload> {
        match &mut self.state {
            State::Working => Arc::new(TaskPayload::Working),
            State::Asked { name, request, .. } => Arc::new(TaskPayload::InputRequired {
                input_requests: BTreeMap::from([(name.clone(), (**request).clone())]),
            }),
            State::Over(over) => {
                over.awaited = false;
                Arc::clone(&over.payload)
            }
        }
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.created.elapsed() >= self.lifetime
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

    pub(super) fn end(&mut self, payload: TaskPayload, bytes: usize) {
        // The result of a cancelled task is not expected to be fetched.
        let awaited = !matches!(payload, TaskPayload::Cancelled);
        self.change(State::Over(Over { payload: Arc::new(payload), bytes, since: Instant::now(), awaited }));
    }

    /// Sets the state and returns the previous one.
    pub(super) fn change(&mut self, state: State) -> State {
        self.updated_at = current_timestamp();
        std::mem::replace(&mut self.state, state)
    }
}
