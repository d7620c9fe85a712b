//! Calls of a program in a context that wait for answers of the caller. The guest waits with them, within its timeout.

use std::sync::PoisonError;

use isolette::{Answer, PausedCall, policy::CallRequest};
use serde_json::Value;
use tokio::sync::oneshot;

use super::LiveRun;
use crate::failure::Failure;

/// Maximum number of calls of one run that wait.
const WAITING: usize = 1024;

impl LiveRun {
    /// Waits for the result of a tool that the caller answers. `None` if too many calls wait.
    pub(crate) async fn wait_for_result(&self, tool: &str, arguments: Value) -> Option<Answer> {
        self.wait(|id| PausedCall::of_tool(id, tool.to_owned(), arguments)).await
    }

    /// Waits for the decision about a call.
    pub(crate) async fn wait_for_approval(&self, request: CallRequest) -> Option<Answer> {
        let CallRequest { capability, operation, target, arguments, reason, .. } = request;
        self.wait(|id| PausedCall::for_approval(id, (capability, operation, target), arguments, reason)).await
    }

    async fn wait(&self, call: impl FnOnce(u64) -> PausedCall) -> Option<Answer> {
        let (sender, answer) = oneshot::channel();
        let id = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            if waiting.answers.len() >= WAITING {
                return None;
            }
            waiting.last += 1;
            let id = waiting.last;
            waiting.answers.insert(id, sender);
            id
        };
        // Also if the run ends while the call waits.
        let _waits = Waits { run: self, id };
        self.set_calls(|calls| calls.push(call(id)));
        answer.await.ok()
    }

    /// Passes answers to calls that wait in a context. All of them, or none.
    pub(crate) fn answer_in_context(&self, answers: Vec<(u64, Answer)>) -> Result<(), Failure> {
        let calls = self.progress().calls;
        for (id, answer) in &answers {
            let call = calls.iter().find(|call| call.id == *id).ok_or_else(|| no_call(*id))?;
            if call.asks != answer.answers() {
                return Err(Failure::invalid(
                    format!("call {id} does not ask for that"),
                    "answer a tool with `value` or `error`, and a question for approval with `approve` or `deny`",
                ));
            }
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((id, _)) = answers.iter().find(|(id, _)| !waiting.answers.contains_key(id)) {
            return Err(no_call(*id));
        }
        for (id, answer) in answers {
            if let Some(sender) = waiting.answers.remove(&id) {
                let _ = sender.send(answer);
            }
        }
        Ok(())
    }
}

fn no_call(id: u64) -> Failure {
    Failure::conflict(format!("no call {id} waits for an answer"), "look at the `calls` of the run")
}

struct Waits<'a> {
    run: &'a LiveRun,
    id: u64,
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.run.waiting.lock().unwrap_or_else(PoisonError::into_inner).answers.remove(&self.id);
        self.run.set_calls(|calls| calls.retain(|call| call.id != self.id));
    }
}
