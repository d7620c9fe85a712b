//! One task, and its state as the client sees it.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{
    model::{InputRequest, Task, TaskPayload, TaskStatus},
    task_manager::{DEFAULT_POLL_INTERVAL_MS, current_timestamp},
};
use tokio::sync::oneshot;

use crate::server::state::{Program, TaskFacts, TaskStage};

/// How long a result is kept after the latest possible end of the program.
const KEPT: Duration = Duration::from_secs(15 * 60);

pub(super) struct Entry {
    /// When it was created, or its lifetime as announced to the client would have begun in this process.
    created: Instant,
    /// The time that has passed of its lifetime in earlier processes.
    earlier: Duration,
    /// The lifetime is announced to the client, so it can only grow. From the number of questions, their unique names are made.
    facts: TaskFacts,
    pub(super) cancel: CancellationToken,
    pub(super) state: State,
}

pub(super) enum State {
    Working,
    /// `saved` is what the program can continue from in another process.
    Asked {
        name: String,
        request: Box<InputRequest>,
        answer: oneshot::Sender<Decision>,
        saved: Option<Box<SavedQuestion>>,
    },
    Over(Over),
}

/// The program of a question that another process can ask again, and until when it waits.
pub(super) struct SavedQuestion {
    pub(super) program: Program,
    pub(super) until: SystemTime,
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
        let lifetime = longest.saturating_add(KEPT);
        let created = SystemTime::now();
        let facts = TaskFacts { created, created_at: now.clone(), updated_at: now, lifetime, questions: 0 };
        Self { created: Instant::now(), earlier: Duration::ZERO, facts, cancel, state: State::Working }
    }

    /// A task of an earlier process.
    pub(super) fn again(facts: TaskFacts, cancel: CancellationToken, state: State) -> Self {
        let earlier = facts.created.elapsed().unwrap_or_default();
        Self { created: Instant::now(), earlier, facts, cancel, state }
    }

    /// The time until it is removed.
    pub(super) fn remaining(&self) -> Duration {
        self.facts.lifetime.saturating_sub(self.earlier.saturating_add(self.created.elapsed()))
    }

    /// Its facts and its stage for another process. `None` once it has ended.
    pub(super) fn stage(&self) -> Option<(TaskFacts, TaskStage)> {
        let stage = match &self.state {
            State::Asked { saved: Some(saved), .. } => {
                TaskStage::Asked { until: saved.until, program: saved.program.clone() }
            }
            State::Working | State::Asked { .. } => TaskStage::Working,
            State::Over(_) => return None,
        };
        Some((self.facts.clone(), stage))
    }

    pub(super) fn facts(&self) -> &TaskFacts {
        &self.facts
    }

    /// Keeps the task for at least this long from now, and its result for as long as any.
    pub(super) fn last(&mut self, longest: Duration) {
        let more = longest.saturating_add(KEPT).saturating_sub(self.remaining());
        self.facts.lifetime = self.facts.lifetime.saturating_add(more);
    }

    /// The description of the task for the protocol.
    pub(super) fn task(&self, id: &str) -> Task {
        let (status, message) = match &self.state {
            State::Working => (TaskStatus::Working, Some("the program is running")),
            State::Asked { .. } => (TaskStatus::InputRequired, Some("the program waits for approval")),
            State::Over(over) => (over.payload.status(), None),
        };
        let task = Task::new(id, status, self.facts.created_at.clone(), self.facts.updated_at.clone())
            .with_ttl_ms(u64::try_from(self.facts.lifetime.as_millis()).unwrap_or(u64::MAX))
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

    /// Whether there is a result that was not fetched yet.
    pub(super) fn is_awaited(&self) -> bool {
        self.over().is_some_and(|over| over.awaited)
    }

    pub(super) fn is_forgotten(&self) -> bool {
        self.remaining().is_zero()
    }

    pub(super) fn over(&self) -> Option<&Over> {
        match &self.state {
            State::Over(over) => Some(over),
            _ => None,
        }
    }

    pub(super) fn ask(&mut self, request: InputRequest, saved: Option<SavedQuestion>) -> oneshot::Receiver<Decision> {
        self.facts.questions += 1;
        let (answer, decision) = oneshot::channel();
        let (name, request) = (format!("approval-{}", self.facts.questions), Box::new(request));
        self.change(State::Asked { name, request, answer, saved: saved.map(Box::new) });
        decision
    }

    pub(super) fn end(&mut self, payload: TaskPayload, bytes: usize) {
        // The result of a cancelled task is not expected to be fetched.
        let awaited = !matches!(payload, TaskPayload::Cancelled);
        self.change(State::Over(Over { payload: Arc::new(payload), bytes, since: Instant::now(), awaited }));
    }

    /// Sets the state and returns the previous one.
    pub(super) fn change(&mut self, state: State) -> State {
        self.facts.updated_at = current_timestamp();
        std::mem::replace(&mut self.state, state)
    }
}
