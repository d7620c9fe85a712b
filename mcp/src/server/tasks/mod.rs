//! Programs that continue after their call was answered, as defined by the extension `io.modelcontextprotocol/tasks`
//! (SEP-2663): the client gets a task in place of the result and polls it until it has ended. Questions to a person are
//! delivered the same way.
//!
//! Only clients that declare support for tasks get one, and a program in a task has no more time, places or rights than
//! any other.

mod entry;
mod store;

use std::sync::Arc;

use isolette::policy::Decision;
use rmcp::{ErrorData, RoleServer, model::CreateTaskResult, service::RequestContext};

pub(super) use self::store::Tasks;
use super::{
    Shared,
    approval::{self, Way},
    running::{Caller, Ended, Event, Question, Running},
};

impl Shared {
    pub(super) fn offers_tasks(&self) -> bool {
        self.limits.tasks > 0
    }

    pub(super) fn offers_tasks_to(&self, context: &RequestContext<RoleServer>) -> bool {
        self.offers_tasks() && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks())
    }

    /// Continues a program as a task. Returns the program if there is no room for another task.
    pub(super) fn go_on_as_task(
        self: &Arc<Self>,
        mut running: Running,
        way: Way,
    ) -> Result<CreateTaskResult, Box<Running>> {
        let longest = running.longest();
        let Some((id, created, cancel)) = self.tasks.begin(longest) else { return Err(Box::new(running)) };
        running.go_on_unheard();
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let caller = Caller::until_cancelled(cancel);
            let to_its_end = shared.see_through(&id, running, way, &caller);
            let ended = tokio::time::timeout(longest, to_its_end).await.map_err(|_| {
                let seconds = longest.as_secs();
                ErrorData::internal_error(format!("the program was ended: it may take {seconds} s altogether"), None)
            });
            shared.tasks.end(&id, ended);
        });
        Ok(created)
    }

    async fn see_through(&self, id: &str, mut running: Running, way: Way, caller: &Caller) -> Ended {
        let mut event = running.next(caller).await;
        loop {
            let question = match event {
                Event::Ended(ended) => return *ended,
                Event::Asked(question) => question,
            };
            event = match self.put(id, question, way, &mut running, caller).await {
                Some(event) => event,
                None => running.next(caller).await,
            };
        }
    }

    /// Makes a question available to clients that poll the task, and passes the answer to the program, unless the
    /// program ends first.
    async fn put(
        &self,
        id: &str,
        question: Question,
        way: Way,
        running: &mut Running,
        caller: &Caller,
    ) -> Option<Event> {
        let asked = match way {
            Way::None => None,
            _ => self.tasks.ask(id, approval::question(&question.request, &self.redaction)),
        };
        let Some(asked) = asked else {
            approval::deny_unasked(question);
            return None;
        };
        let asked = tokio::time::timeout(self.approval_timeout(&question.request), asked);
        let answer = running.meanwhile(caller, asked).await;
        self.tasks.go_on(id);
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
