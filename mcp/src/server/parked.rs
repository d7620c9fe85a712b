//! Programs whose question is in the response to a call: each waits under an unguessable name until the client calls again.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime},
};

use rmcp::model::{InputRequiredResult, InputResponses};
use tokio::task::AbortHandle;

use super::{
    Shared, approval,
    control::{Question, Saved},
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
    /// Ends the program when its time is up.
    expiry: AbortHandle,
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
        let mut question = question;
        if let (Some(state), Some(Saved { program, changing })) = (self.state(), question.saved.take()) {
            let subject = Subject::Parked { until: after(timeout), program };
            // It waits here in any case.
            let _ = state.write(|| Some(Record { name: name.clone(), subject })).await;
            drop(changing);
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
        let mut parked = self.parked.lock();
        let (shared, expired) = (Arc::downgrade(self), name.clone());
        let expiry = tokio::spawn(async move {
            tokio::time::sleep(timeout).await;
            let Some(shared) = shared.upgrade() else { return };
            let entry = shared.parked.lock().remove(&expired);
            if let Some(entry) = entry {
                shared.remove_record(&expired).await;
                drop(shared);
                entry.running.end().await;
            }
        });
        parked.insert(name, Entry { running, question, expiry: expiry.abort_handle() });
    }

    /// Removes a record, and returns whether it is gone.
    pub(super) async fn remove_record(&self, name: &str) -> bool {
        let Some(state) = self.state() else { return true };
        state.remove(name).await.inspect_err(|error| tracing::warn!("{error}")).is_ok()
    }

    /// Returns the parked program of this name, and passes the decision of the person to it.
    pub(super) async fn resume(&self, name: &str, responses: Option<&InputResponses>) -> Result<Running, Failure> {
        let entry = self.parked.lock().remove(name);
        let entry = entry.ok_or_else(|| {
            Failure::new("NotWaiting", "no program waits for this answer", "call again without `requestState`")
        })?;
        // Before the program goes on: it must not begin once more.
        if !self.remove_record(name).await {
            self.parked.lock().insert(name.to_owned(), entry);
            return Err(Failure::new(
                "Internal",
                "the server cannot record that the program has its answer; it still waits",
                "have the operator look at the server's log, and call again",
            ));
        }
        let Entry { running, question, expiry } = entry;
        expiry.abort();
        if let Some(question) = question {
            let _ = question.answer.send(approval::answered(responses));
        }
        Ok(running)
    }
}

/// The moment after a while, at most the longest that anything is kept.
pub(super) fn after(timeout: Duration) -> SystemTime {
    let now = SystemTime::now();
    now.checked_add(timeout).unwrap_or(now + LONGEST)
}
