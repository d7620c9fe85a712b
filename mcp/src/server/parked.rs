//! Programs whose question is in the response to a call: each waits under an unguessable name until the client calls again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use rmcp::model::{InputRequiredResult, InputResponses};

use super::{
    Shared, approval,
    control::Question,
    handles::chance,
    outcome::Failure,
    running::Running,
    state::{Record, Subject},
    timeouts::LONGEST,
};

/// The programs, by name.
#[derive(Default)]
pub(super) struct Parked(Mutex<HashMap<String, Entry>>);

struct Entry {
    running: Running,
    /// `None` if the program has ended without an answer.
    question: Option<Question>,
}

impl Parked {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    /// Keeps a program until it is resumed, or at most for the time that its question may take.
    pub(super) async fn park(self: &Arc<Self>, running: Running, question: Question) -> InputRequiredResult {
        let (name, timeout) = (chance(), self.approval_timeout(&question));
        if let (Some(state), Some(program)) = (self.state(), &question.saved) {
            let until = SystemTime::now().checked_add(timeout).unwrap_or_else(|| SystemTime::now() + LONGEST);
            let subject = Subject::Parked { until, program: program.clone() };
            state.write(Record { name: name.clone(), subject }).await;
        }
        let response = approval::response(&question.request, name.clone(), &self.redaction);
        self.keep_parked(name, running, Some(question), timeout);
        response
    }

    /// Keeps a program under a name that its client knows.
    pub(super) fn keep_parked(
        self: &Arc<Self>,
        name: String,
        running: Running,
        question: Option<Question>,
        timeout: Duration,
    ) {
        self.parked.lock().insert(name.clone(), Entry { running, question });
        let shared = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(timeout).await;
            let Some(shared) = shared.upgrade() else { return };
            if let Some(entry) = shared.take_parked(&name) {
                entry.running.end().await;
            }
        });
    }

    /// Returns the parked program of this name, and passes the decision of the person to it.
    pub(super) fn resume(&self, name: &str, responses: Option<&InputResponses>) -> Result<Running, Failure> {
        let Entry { running, question } = self.take_parked(name).ok_or_else(|| {
            Failure::new("NotWaiting", "no program waits for this answer", "call again without `requestState`")
        })?;
        if let Some(question) = question {
            let _ = question.answer.send(approval::answered(responses));
        }
        Ok(running)
    }

    fn take_parked(&self, name: &str) -> Option<Entry> {
        let entry = self.parked.lock().remove(name)?;
        if let Some(state) = self.state() {
            state.remove(name);
        }
        Some(entry)
    }
}
