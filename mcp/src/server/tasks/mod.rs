//! Programs that continue after their call was answered, as defined by the extension `io.modelcontextprotocol/tasks`
//! (SEP-2663): the client gets a task in place of the result and polls it until it has ended. Questions to a person are
//! delivered the same way.
//!
//! Only clients that declare support for tasks get one, and a program in a task has no more time, places or rights than
//! any other.

mod entry;
mod store;

use std::{sync::Arc, time::Duration};

use isolette::{CancellationToken, policy::Decision};
use rmcp::{ErrorData, RoleServer, model::CreateTaskResult, service::RequestContext};
use tokio::sync::oneshot;

pub(super) use self::store::Tasks;
use self::{entry::KEPT, store::object};
use super::{
    Shared,
    approval::{self, Way},
    control::Question,
    running::{Caller, Ended, Event, Running},
    state::{Finished, Program, Record, Subject, TaskFacts},
};

impl Shared {
    pub(super) fn offers_tasks(&self) -> bool {
        self.limits.tasks > 0
    }

    pub(super) fn offers_tasks_to(&self, context: &RequestContext<RoleServer>) -> bool {
        self.offers_tasks() && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks())
    }

    /// Continues a program as a task. Returns the program if there is no room for another task.
    pub(super) async fn go_on_as_task(
        self: &Arc<Self>,
        mut running: Running,
        way: Way,
    ) -> Result<CreateTaskResult, Box<Running>> {
        let longest = running.longest();
        let Some((id, created, cancel)) = self.tasks.begin(longest) else { return Err(Box::new(running)) };
        running.go_on_unheard();
        // The client knows the task from here on.
        self.record_task(&id).await;
        self.see_through(id, running, way != Way::None, (cancel, longest), None);
        Ok(created)
    }

    /// Continues a task of an earlier process whose program waits in a file.
    pub(super) async fn take_over_task(self: &Arc<Self>, id: String, mut facts: TaskFacts, program: Program) {
        // The program asks the same again, under the same name.
        facts.questions = facts.questions.saturating_sub(1);
        let Some((cancel, remaining)) = self.tasks.begin_again(&id, facts) else { return };
        let mut running = self.run_program(program, true, None);
        // The question comes before any client can answer it.
        let first = running.next(&Caller::until_cancelled(cancel.clone())).await;
        let first = match first {
            Event::Asked(question) => Some(self.pose(&id, *question)),
            Event::Ended(ended) => {
                running.put_back(*ended);
                None
            }
        };
        self.see_through(id, running, true, (cancel, remaining.saturating_sub(KEPT)), first.flatten());
    }

    /// Takes a task of an earlier process over that has ended, or whose program has ended with that process.
    pub(super) async fn take_over_end(self: &Arc<Self>, id: &str, facts: TaskFacts, finished: Option<Finished>) {
        let lost = "the server ended while the program ran; it is not known how far it came";
        let is_lost = finished.is_none();
        let failed = || Finished::Failed(object(&ErrorData::internal_error(lost, None)));
        self.tasks.end_again(id, facts, finished.unwrap_or_else(failed));
        if is_lost {
            self.record_task(id).await;
        }
    }

    /// Keeps what another process has to know of a task.
    async fn record_task(&self, id: &str) {
        let Some(state) = self.state() else { return };
        if let Some((facts, stage)) = self.tasks.stage(id) {
            state.write(Record { name: id.to_owned(), subject: Subject::Task { facts, stage } }).await;
        }
    }

    /// Continues the program of a task to its end, in the background and for a limited time. `posed` is a question to begin with.
    fn see_through(
        self: &Arc<Self>,
        id: String,
        running: Running,
        can_ask: bool,
        (cancel, longest): (CancellationToken, Duration),
        posed: Option<Posed>,
    ) {
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let caller = Caller::until_cancelled(cancel);
            let to_its_end = shared.to_its_end(&id, running, can_ask, &caller, posed);
            let ended = tokio::time::timeout(longest, to_its_end).await.map_err(|_| {
                let seconds = longest.as_secs();
                ErrorData::internal_error(format!("the program was ended: it may take {seconds} s altogether"), None)
            });
            shared.tasks.end(&id, ended);
            shared.record_task(&id).await;
        });
    }

    async fn to_its_end(
        &self,
        id: &str,
        mut running: Running,
        can_ask: bool,
        caller: &Caller,
        mut posed: Option<Posed>,
    ) -> Ended {
        loop {
            let event = match posed.take() {
                Some(posed) => self.answer(id, posed, &mut running, caller).await,
                None => None,
            };
            let event = match event {
                Some(event) => event,
                None => running.next(caller).await,
            };
            let question = match event {
                Event::Ended(ended) => return *ended,
                Event::Asked(question) => *question,
            };
            if can_ask {
                posed = self.pose(id, question);
                if posed.is_some() {
                    self.record_task(id).await;
                }
            } else {
                approval::deny_unasked(question);
            }
        }
    }

    /// Makes a question available to clients that poll the task. `None` if the task no longer exists.
    fn pose(&self, id: &str, question: Question) -> Option<Posed> {
        let request = approval::question(&question.request, &self.redaction);
        let timeout = self.approval_timeout(&question);
        let decision = self.tasks.ask(id, request, question.saved.clone())?;
        Some(Posed { question, decision, timeout })
    }

    /// Waits for the answer to a question and passes it to the program, unless the program ends first.
    async fn answer(&self, id: &str, posed: Posed, running: &mut Running, caller: &Caller) -> Option<Event> {
        let Posed { question, decision, timeout } = posed;
        let answer = running.meanwhile(caller, tokio::time::timeout(timeout, decision)).await;
        self.tasks.go_on(id);
        if question.saved.is_some() {
            // Before the program goes on: it must not begin once more from where it waited.
            self.record_task(id).await;
        }
        match answer {
            Err(event) => Some(event),
            Ok(answer) => {
                let decision = match answer {
                    Ok(Ok(decision)) => decision,
                    _ => Decision::deny("the approver did not answer in time"),
                };
                let _ = question.answer.send(decision);
                None
            }
        }
    }
}

/// A question that clients can see, and the answer to come.
struct Posed {
    question: Question,
    decision: oneshot::Receiver<Decision>,
    timeout: Duration,
}
