//! Running a program for a client, from its turn in the queue to the result.

use std::{sync::Arc, time::Duration};

use isolette::{CancellationToken, Error, ExecutionResult, RunOptions};
use rmcp::{
    RoleServer,
    model::{CallToolResult, ContentBlock, MetaObject},
    service::RequestContext,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    Shared,
    attachments::attach,
    handler::client,
    handles::Handle,
    outcome::{Failure, Outcome},
    progress::Progress,
    sandboxes::Lent,
};
use crate::transport::http::Connection;

/// Where in a result the calls are listed that the program made. Clients show it to people, not to models.
const CALLS: &str = "isolette/calls";

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
    pub(super) async fn execute(
        &self,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Failure> {
        let handle = arguments.sandbox_id.as_deref().map(|id| self.handles.find(id)).transpose()?;
        let lent = self.for_program(&arguments, handle.as_deref())?;
        let timeout = timeout(arguments.timeout_s, &lent)?;
        let progress = context.meta.get_progress_token().map(|token| Progress::new(token, context.peer.clone()));
        let cancel = context.ct.child_token();
        let gone = Connection::of(&context.extensions).map(|connection| connection.gone);
        let mut options = RunOptions::new().cancel(cancel.clone());
        if let Some(progress) = &progress {
            options = options.on_output(progress.sink());
        }
        let result = match &handle {
            None => {
                let _place = self.turn(context).await?;
                let run = lent.sandbox.run_async(&arguments.code, options.timeout(timeout));
                attended(run, progress, &cancel, gone).await
            }
            Some(handle) => {
                // First the sandbox, then a turn: whoever waits for a sandbox keeps nobody else from running.
                let mut session = handle.session.lock().await;
                let _place = self.turn(context).await?;
                let run = session.run_async(&arguments.code, options.timeout(timeout));
                let result = attended(run, progress, &cancel, gone).await;
                handle.touch();
                result
            }
        };
        Ok(self.report(result))
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

    async fn turn(&self, context: &RequestContext<RoleServer>) -> Result<super::queue::Place, Failure> {
        let turn = self.queue.enter(client(context));
        tokio::select! {
            place = turn => place.map_err(|full| {
                Failure::new(
                    "Busy",
                    format!("{} programs run and {} wait; there is no room for another", full.running, full.waiting),
                    "try again in a moment",
                )
            }),
            () = context.ct.cancelled() => Err(Failure::new("Cancelled", "the run was cancelled", "call again")),
        }
    }

    /// As the client gets it. A program that failed is a result too, marked as an error.
    fn report(&self, result: Result<ExecutionResult, Error>) -> CallToolResult {
        let (mut outcome, result, calls) = Outcome::of(result);
        let attachments = result.map(|result| attach(&mut outcome, &result, &self.limits)).unwrap_or_default();
        let mut content: Vec<_> = outcome.texts().into_iter().map(ContentBlock::text).collect();
        content.extend(attachments);
        let failed = !outcome.success;
        let mut result = CallToolResult::default();
        result.content = content;
        result.is_error = Some(failed);
        result.structured_content = serde_json::to_value(outcome).ok();
        if !calls.is_empty() {
            let mut meta = MetaObject::default();
            meta.insert(CALLS.to_owned(), json!(calls));
            result.meta = Some(meta);
        }
        result
    }
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

/// Waits for a run, passes its output on meanwhile, and ends it when the client has gone away.
async fn attended(
    run: impl Future<Output = Result<ExecutionResult, Error>>,
    mut progress: Option<Progress>,
    cancel: &CancellationToken,
    gone: Option<CancellationToken>,
) -> Result<ExecutionResult, Error> {
    let mut run = std::pin::pin!(run);
    let gone = gone.unwrap_or_default();
    loop {
        let arrival = async {
            match &progress {
                Some(progress) => progress.arrival().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            result = &mut run => {
                if let Some(progress) = &mut progress {
                    progress.flush().await;
                }
                return result;
            }
            () = gone.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
            () = arrival => {
                if let Some(progress) = &mut progress {
                    // A client that does not read must not keep the end of its run from being seen.
                    tokio::select! {
                        () = progress.flush() => {}
                        () = cancel.cancelled() => {}
                    }
                }
            }
        }
    }
}
