//! Running a program for a client, from its turn in the queue to the result.

use std::{cell::RefCell, sync::Arc, time::Duration};

use isolette::{Error, ExecutionResult, code_act::rendering::printed, policy::Decision};
use rmcp::{
    RoleServer,
    model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, MetaObject, Resource},
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    Shared,
    approval::{self, Way},
    attachments::attach,
    handler::{address, client, parse},
    handles::Handle,
    outcome::{Failure, Outcome},
    queue::Place,
    running::{Event, Running},
    sandboxes::Lent,
};

/// Where in a result the calls are listed that the program made. Clients show it to people, not to models.
const CALLS: &str = "isolette/calls";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    code: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    timeout_s: Option<f64>,
    #[serde(default)]
    sandbox_id: Option<String>,
}

/// Beyond the time of a run, until a program that nobody came back for is forgotten.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a person may think about a program that has not begun, so that no time of its own runs.
const BEFORE_IT_BEGINS: Duration = Duration::from_secs(5 * 60);

impl Shared {
    /// Runs a program, or goes on with one that waited for an answer.
    pub(super) async fn execute(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, Failure> {
        let arguments: Arguments = parse(request.arguments.unwrap_or_default())?;
        let mut running = match request.request_state {
            Some(name) => self.parked.resume(&name, request.input_responses.as_ref())?,
            None => self.start(arguments, context).await?,
        };
        running.listen(context);
        let way = Way::of(context);
        let mut event = running.next(context).await;
        loop {
            let question = match event {
                Event::Ended(result) => return Ok(self.report(*result).into()),
                Event::Asked(question) => question,
            };
            let patience = match question.request.capability {
                "program" => BEFORE_IT_BEGINS,
                _ => self.longest() + PATIENCE,
            };
            match way {
                Way::None => approval::nobody(question),
                Way::Between => return Ok(self.parked.park(running, question, patience, &self.redaction).into()),
                Way::During => {
                    let asked = context.peer.create_elicitation(approval::form(&question.request, &self.redaction));
                    let asked = tokio::time::timeout(patience, asked);
                    match running.meanwhile(context, asked).await {
                        // The program has ended without the answer.
                        Err(ended) => {
                            event = ended;
                            continue;
                        }
                        Ok(answer) => {
                            let decision = match answer {
                                Ok(Ok(answer)) => approval::decision(&answer),
                                Ok(Err(error)) => Decision::deny(format!("the client did not ask: {error}")),
                                Err(_) => Decision::deny("nobody answered in time"),
                            };
                            let _ = question.answer.send(decision);
                        }
                    }
                }
            }
            event = running.next(context).await;
        }
    }

    async fn start(&self, arguments: Arguments, context: &RequestContext<RoleServer>) -> Result<Running, Failure> {
        let handle = arguments.sandbox_id.as_deref().map(|id| self.handles.find(id)).transpose()?;
        let lent = self.for_program(&arguments, handle.as_deref())?;
        let timeout = timeout(arguments.timeout_s, &lent)?;
        let code = arguments.code;
        let client = address(context);
        let Some(handle) = handle else {
            let place = self.turn(context).await?;
            return Ok(Running::start(&self.redaction, move |options| {
                Box::pin(async move {
                    let _place = place;
                    let options = options.timeout(timeout).label("client", client);
                    lent.sandbox.run_async(&code, options).await
                })
            }));
        };
        // First the sandbox, then a turn: whoever waits for a sandbox keeps nobody else from running.
        let mut session = tokio::select! {
            session = handle.session() => session?,
            () = context.ct.cancelled() => return Err(cancelled()),
        };
        let place = self.turn(context).await?;
        Ok(Running::start(&self.redaction, move |options| {
            Box::pin(async move {
                let _place = place;
                let options = options.timeout(timeout).label("client", client).label("sandbox", handle.digest());
                let result = session.run_async(&code, options).await;
                handle.touch();
                result
            })
        }))
    }

    fn longest(&self) -> Duration {
        let sandboxes = self.sandboxes();
        sandboxes.iter().map(|lent| lent.explanation.policy.limits.wall_time).max().unwrap_or_default()
    }

    fn for_program(&self, arguments: &Arguments, handle: Option<&Handle>) -> Result<Arc<Lent>, Failure> {
        let Some(handle) = handle else { return self.sandboxes().choose(arguments.language.as_deref()) };
        let lent = self.sandboxes().choose(Some(handle.language.name()))?;
        match arguments.language.as_deref() {
            Some(other) if other != handle.language.name() => Err(Failure::new(
                "InvalidArgument",
                format!("this sandbox runs {}, not {}", handle.language, other.escape_debug()),
                "leave `language` out, or create a sandbox for that language",
            )),
            _ => Ok(lent),
        }
    }

    async fn turn(&self, context: &RequestContext<RoleServer>) -> Result<Place, Failure> {
        let turn = self.queue.enter(client(context));
        tokio::select! {
            place = turn => place.map_err(|full| {
                Failure::new(
                    "Busy",
                    format!("{} programs run and {} wait; there is no room for another", full.running, full.waiting),
                    "try again in a moment",
                )
            }),
            () = context.ct.cancelled() => Err(cancelled()),
        }
    }

    /// As the client gets it. A program that failed is a result too, marked as an error.
    fn report(&self, result: Result<ExecutionResult, Error>) -> CallToolResult {
        let brought = match &result {
            Ok(result) => result,
            Err(error) => match error.partial() {
                Some(partial) => partial,
                None => return refused(Failure::of(error)),
            },
        };
        let links = RefCell::new(Vec::new());
        let rendered = self.rendering.render(result.as_ref(), |part| {
            let text = match part {
                "stdout" => brought.stdout.clone(),
                "stderr" => brought.stderr.clone(),
                "value" => printed(brought.value.as_ref()?),
                _ => return None,
            };
            let text = self.redaction.text(&text);
            let name = format!("{part}.txt");
            let size = text.len() as u64;
            let uri = self.kept.keep(&name, text);
            let mut link = Resource::new(uri.clone(), name);
            link.mime_type = Some("text/plain".into());
            link.size = Some(size);
            links.borrow_mut().push(ContentBlock::resource_link(link));
            Some(uri)
        });
        let mut outcome = Outcome::of(result.as_ref(), &rendered);
        let attachments = attach(&mut outcome, brought, &self.limits);
        let mut text = rendered.text;
        if let (Some(failure), Ok(result)) = (&outcome.error, &result)
            && result.error.is_none()
        {
            // What the outcome knows and the run does not: too many files, an exit code.
            text = format!("error:\n{}\n\n{text}", failure.text());
        }
        let mut told = CallToolResult::default();
        told.content.push(ContentBlock::text(text));
        told.content.extend(links.into_inner());
        told.content.extend(attachments);
        told.is_error = Some(!outcome.success);
        told.structured_content = serde_json::to_value(outcome).ok();
        if !brought.calls.is_empty() {
            let mut meta = MetaObject::default();
            meta.insert(CALLS.to_owned(), json!(brought.calls));
            told.meta = Some(meta);
        }
        told
    }
}

fn cancelled() -> Failure {
    Failure::new("Cancelled", "the run was cancelled", "call again")
}

/// A program that never began, in the same form as one that did.
pub(super) fn refused(failure: Failure) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(failure.text())]);
    result.structured_content = serde_json::to_value(Outcome::refused(failure)).ok();
    result
}

/// Nobody gets more time than the operator gave.
fn timeout(asked: Option<f64>, lent: &Lent) -> Result<Duration, Failure> {
    let limit = lent.explanation.policy.limits.wall_time;
    let Some(asked) = asked else { return Ok(limit) };
    match Duration::try_from_secs_f64(asked) {
        Ok(timeout) if !timeout.is_zero() && timeout <= limit => Ok(timeout),
        _ => Err(Failure::new(
            "InvalidArgument",
            format!("`timeout_s` is {asked}"),
            format!("give a number of seconds above 0 and up to {}", limit.as_secs_f64()),
        )),
    }
}
