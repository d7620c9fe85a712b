//! Programs that go on after their call was answered, as the extension `io.modelcontextprotocol/tasks` (SEP-2663) has it: a
//! client that may not wait for long gets a task in place of the result, and asks for it until it has ended. Questions to a
//! person go the same way.
//!
//! A task is never given to a client that has not declared that it knows of tasks, and a program in one has no more time,
//! places or rights than any other.

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

    /// Lets a program go on without its request. Gives it back if there is no room for another task.
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
            let caller = Caller::patient(cancel);
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

    /// Puts a question to whoever asks for the task, and hands the answer to the program, unless that ends before.
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
            approval::nobody(question);
            return None;
        };
        let asked = tokio::time::timeout(self.patience(&question.request), asked);
        let answer = running.meanwhile(caller, asked).await;
        self.tasks.go_on(id);
        match answer {
            Err(event) => Some(event),
            Ok(answer) => {
                let decision = match answer {
                    Ok(Ok(decision)) => decision,
                    _ => Decision::deny("nobody answered in time"),
                };
                let _ = question.answer.send(decision);
                None
            }
        }
    }
}
