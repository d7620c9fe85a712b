//! Starts programs: selects the sandbox, applies the limits, and waits for the turn.

use std::{sync::Arc, time::Duration};

use isolette::{Budget, CancellationToken, Error, ExecutionResult, RunOptions, Session, policy::Limits, queue::Place};
use rmcp::{RoleServer, service::RequestContext};
use serde::Deserialize;
use tokio::sync::OwnedMutexGuard;

use super::{
    Shared,
    approval::Way,
    client::Client,
    handler::{address, client},
    handles::{Handle, chance},
    outcome::Failure,
    report::refused,
    running::{Ended, Running},
    sandboxes::LanguageSandbox,
    secrets::redacted,
    state::{Origin, Program},
};
use crate::measured::{self, RequestMemory};

/// The arguments of `execute_code`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    code: String,
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    timeout_s: Option<f64>,
    #[serde(default)]
    sandbox_id: Option<String>,
}

impl Shared {
    /// Prepares a program that waits for its sandbox and its turn, and then runs.
    pub(super) fn start(
        self: &Arc<Self>,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Result<Running, Failure> {
        let handle = arguments.sandbox_id.as_deref().map(|id| self.handles.find(id)).transpose()?;
        let entry = self.for_program(&arguments, handle.as_deref())?;
        let timeout = timeout(arguments.timeout_s, &entry)?;
        let (client, address) = (client(context), address(context));
        let memory = RequestMemory::of(&context.extensions);
        if let Some(memory) = &memory {
            memory.shrink_to(arguments.code.len() as u64 + measured::bytes_of(&context.meta));
        }
        let Some(handle) = handle else {
            let (language, name) = (entry.language(), chance());
            let origin = Origin::Code { name, code: arguments.code.into() };
            let program = Program { language, timeout, client, address, origin };
            return Ok(self.run_program(program, Way::of(context) != Way::None, memory));
        };
        let (shared, code) = (Arc::clone(self), arguments.code);
        Ok(Running::start(&self.redaction, self.longest(timeout), false, move |control| {
            Box::pin(async move {
                // The program outlives the request if that is answered with a question or a task.
                let _memory = memory;
                let (session, place) = match shared.turn(Some(&handle), client, &control.cancel).await {
                    Ok(turn) => turn,
                    Err(failure) => return shared.not_begun(failure, control.cancel.is_cancelled()),
                };
                let options =
                    within(control.options(), handle.budget.clone()).timeout(timeout).label("client", address);
                // The place is released when all work of the run has ended, which may be later than its result.
                let options = options.label("sandbox", handle.digest()).hold(place);
                let result = match session {
                    Some(mut session) => session.run_async(&code, options).await,
                    None => entry.sandbox.run_async(&code, options).await,
                };
                handle.touch();
                shared.ended(result)
            })
        }))
    }

    /// The end of a program that has begun.
    pub(super) fn ended(&self, result: Result<ExecutionResult, Error>) -> Ended {
        let cancelled = matches!(result, Err(Error::Cancelled { .. }));
        Ended { result: redacted(self.report(result), &self.redaction), cancelled }
    }

    fn for_program(&self, arguments: &Arguments, handle: Option<&Handle>) -> Result<Arc<LanguageSandbox>, Failure> {
        let Some(handle) = handle else { return self.sandboxes().choose(arguments.language.as_deref()) };
        let entry = self.sandboxes().choose(Some(handle.language.name()))?;
        match arguments.language.as_deref() {
            Some(other) if other != handle.language.name() => Err(Failure::new(
                "InvalidArgument",
                format!("this sandbox runs {}, not {}", handle.language, other.escape_debug()),
                "leave `language` out, or create a sandbox for that language",
            )),
            _ => Ok(entry),
        }
    }

    /// Waits for the sandbox, if it has a handle, and for the turn of the program.
    pub(super) async fn turn(
        &self,
        handle: Option<&Handle>,
        whose: Client,
        cancel: &CancellationToken,
    ) -> Result<(Option<OwnedMutexGuard<Session>>, Place<Client>), Failure> {
        let turn = async {
            // The sandbox comes first, so that a program that waits for a sandbox does not occupy a place.
            let session = match handle {
                Some(handle) => Some(handle.session().await?),
                None => None,
            };
            let place = self.queue.enter(whose, 0).await.map_err(|full| {
                Failure::new(
                    "Busy",
                    format!("{} programs run and {} wait; there is no room for another", full.running, full.waiting),
                    "try again in a moment",
                )
            })?;
            Ok((session, place))
        };
        let longest = self.limits.waiting_time;
        tokio::select! {
            turn = turn => turn,
            () = tokio::time::sleep(longest) => Err(Failure::new(
                "Busy",
                format!("no place came free in the {} s that a program may wait for one", longest.as_secs_f64()),
                "try again in a moment",
            )),
            () = cancel.cancelled() => Err(Failure::new("Cancelled", "the run was cancelled", "call again")),
        }
    }

    /// The end of a program that has not begun.
    pub(super) fn not_begun(&self, failure: Failure, cancelled: bool) -> Ended {
        Ended { result: redacted(refused(failure), &self.redaction), cancelled }
    }
}

pub(super) fn within(options: RunOptions, budget: Option<Budget>) -> RunOptions {
    match budget {
        Some(budget) => options.budget(budget),
        None => options,
    }
}

/// The requested timeout, which must not exceed the operator's limit.
fn timeout(asked: Option<f64>, entry: &LanguageSandbox) -> Result<Duration, Failure> {
    let limit = entry.explanation.policy.limits.timeout;
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
