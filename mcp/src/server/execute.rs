//! Running a program for a client, from its turn in the queue to the result.

use std::{sync::Arc, time::Duration};

use isolette::{
    Budget, RunOptions,
    policy::{Decision, Limits},
};
use rmcp::{
    RoleServer,
    model::{CallToolRequestParams, CallToolResponse},
    service::RequestContext,
};
use serde::Deserialize;

use super::{
    Shared,
    approval::{self, Way},
    handler::{address, client, parse},
    handles::Handle,
    outcome::Failure,
    queue::Place,
    running::{Event, Running},
    sandboxes::Lent,
};

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

/// The longest that a program waits for an answer, though it may have any amount of time: it keeps a place that others need.
const LONGEST_PATIENCE: Duration = Duration::from_secs(24 * 60 * 60);

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
                _ => patience(self.longest()),
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
        let budget = handle.as_ref().map_or(&self.budget, |handle| &handle.budget).clone();
        let Some(handle) = handle else {
            let place = self.turn(context).await?;
            return Ok(Running::start(&self.redaction, move |options| {
                Box::pin(async move {
                    let _place = place;
                    let options = within(options, budget).timeout(timeout).label("client", client);
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
                let options = within(options, budget).timeout(timeout).label("client", client);
                let options = options.label("sandbox", handle.digest());
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
}

fn cancelled() -> Failure {
    Failure::new("Cancelled", "the run was cancelled", "call again")
}

fn within(options: RunOptions, budget: Option<Budget>) -> RunOptions {
    match budget {
        Some(budget) => options.budget(budget),
        None => options,
    }
}

/// How long a program whose run may take so long waits for an answer.
fn patience(longest: Duration) -> Duration {
    longest.saturating_add(PATIENCE).min(LONGEST_PATIENCE)
}

/// Nobody gets more time than the operator gave.
fn timeout(asked: Option<f64>, lent: &Lent) -> Result<Duration, Failure> {
    let limit = lent.explanation.policy.limits.wall_time;
    let Some(asked) = asked else { return Ok(limit) };
    match Duration::try_from_secs_f64(asked) {
        Ok(timeout) if !timeout.is_zero() && timeout <= limit => Ok(timeout),
        _ => {
            let most = match limit == Limits::UNLIMITED_TIME {
                true => String::new(),
                false => format!(" and up to {}", limit.as_secs_f64()),
            };
            Err(Failure::new(
                "InvalidArgument",
                format!("`timeout_s` is {asked}"),
                format!("give a number of seconds above 0{most}"),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_has_an_end_whatever_time_there_is() {
        assert_eq!(patience(Duration::from_secs(30)), Duration::from_secs(35));
        assert_eq!(patience(Limits::UNLIMITED_TIME), LONGEST_PATIENCE);
    }
}
