//! The call of a program: the exchange between client and program until the call is answered.

use std::{pin::pin, sync::Arc};

use isolette::policy::Decision;
use rmcp::{
    RoleServer,
    model::{CallToolRequestParams, CallToolResponse},
    service::RequestContext,
};

use super::{
    Shared,
    approval::{self, Way},
    handler::parse,
    outcome::Failure,
    running::{Caller, Event, Running},
    start::Arguments,
};

impl Shared {
    /// Runs a program, or resumes one that waited for an answer. The response is its result, a question, or a task.
    pub(super) async fn execute(
        self: &Arc<Self>,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let mut running = self.begin(request, context).await?;
        running.listen(context);
        let caller = Caller::of(context);
        let way = Way::of(context);
        let mut may_be_a_task = self.offers_tasks_to(context);
        let mut long_enough = pin!(tokio::time::sleep(self.limits.task_after));
        let mut known: Option<Event> = None;
        loop {
            let event = match known.take() {
                Some(event) => event,
                None => tokio::select! {
                    biased;
                    event = running.next(&caller) => event,
                    // A program whose caller has given up does not become a task: its result would not be fetched.
                    () = &mut long_enough, if may_be_a_task && !caller.gave_up() => {
                        match self.go_on_as_task(running, way).await {
                            Ok(task) => return Ok(task.into()),
                            Err(back) => (running, may_be_a_task) = (*back, false),
                        }
                        continue;
                    }
                },
            };
            let question = match event {
                Event::Ended(ended) => return Ok(ended.result.into()),
                Event::Asked(question) => *question,
            };
            let timeout = self.approval_timeout(&question);
            match way {
                Way::None => approval::deny_unasked(question),
                Way::Between => return Ok(self.park(running, question).await.into()),
                Way::During => {
                    let mut question = question;
                    // No other process can receive the answer, so this one waits for it before it ends.
                    let _changing = question.saved.take().map(|saved| saved.changing);
                    let asked = context.peer.create_elicitation(approval::form(&question.request, &self.redaction));
                    let asked = tokio::time::timeout(timeout, asked);
                    match running.meanwhile(&caller, asked).await {
                        // The program has ended without the answer.
                        Err(ended) => known = Some(ended),
                        Ok(answer) => {
                            let decision = match answer {
                                Ok(Ok(answer)) => approval::decision(&answer),
                                Ok(Err(error)) => Decision::deny(format!("the client did not ask: {error}")),
                                Err(_) => Decision::deny("the approver did not answer in time"),
                            };
                            let _ = question.answer.send(decision);
                        }
                    }
                }
            }
        }
    }

    /// Starts a program, or finds the parked one. The rest of the request is dropped.
    async fn begin(
        self: &Arc<Self>,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Running, Failure> {
        let arguments: Arguments = parse(request.arguments.unwrap_or_default())?;
        match request.request_state {
            Some(name) => self.resume(&name, request.input_responses.as_ref()).await,
            None => self.start(arguments, context),
        }
    }
}
