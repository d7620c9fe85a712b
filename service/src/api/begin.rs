//! Programs begin: in a sandbox, or in a guest of their own.

use std::sync::Arc;

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, StatusCode};
use isolette_listener::responses::WINDOW;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{
    events,
    extract::{JsonBody, Path},
    reply::Room,
    run::{CancelOnDrop, Run, respond_at_end},
    times::Span,
};
use crate::{
    caller::Caller,
    execution::{self, Execution, Target},
    failure::{ErrorBody, Failure},
    grants::Key,
    run::{LiveRun, StoredRequest},
    sandboxes::DEFAULT_CONTEXT,
    shared::Shared,
    spec::{Environment, SandboxSpec, ToolSpec, parse_language},
    store::rows,
};

/// A program to run in a sandbox.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RunInSandbox {
    /// The program.
    code: String,
    /// The context, which is made if it does not exist. Default: `default`.
    context: Option<String>,
    /// The language. Default: that of the context, or of the sandbox.
    language: Option<String>,
    /// The wall time of the program, at most that of the policy, which is the default.
    timeout: Option<Span>,
    /// Globals that are set before the program.
    variables: Map<String, Value>,
    /// The name of the program in tracebacks.
    filename: Option<String>,
    /// Whether the context returns to its state before the program if that fails.
    rollback_on_error: bool,
    /// Whether the response has the run as it begins (status 202), and the program goes on without the caller.
    background: bool,
}

/// A program to run in a guest of its own.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RunFresh {
    /// The program.
    code: String,
    /// The language. Default: `python`.
    language: Option<String>,
    /// The policy, as that of a sandbox.
    policy: Map<String, Value>,
    /// Tools that the caller answers. A program that calls one is paused until it is answered, days later if need be.
    tools: Vec<ToolSpec>,
    /// Whether the caller approves calls that need approval; else they are denied.
    approves: bool,
    /// The wall time of the program, at most that of the policy, which is the default.
    timeout: Option<Span>,
    /// Globals that are set before the program.
    variables: Map<String, Value>,
    /// The name of the program in tracebacks.
    filename: Option<String>,
    /// Whether the response has the run as it begins (status 202), and the program goes on without the caller.
    background: bool,
}

/// Run a program in a sandbox
///
/// The response has the run when it has ended or is paused, and the program is cancelled if the caller goes away before. With
/// `Accept: text/event-stream` it has the events of the run; with `background`, the run as it begins.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/runs",
    operation_id = "run_in_sandbox",
    tag = "runs",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = RunInSandbox,
    responses(
        (status = OK, body = Run),
        (status = ACCEPTED, body = Run, description = "The run has begun in the background, or is paused"),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room for what the program would leave")
    )
)]
pub(super) async fn run_in_sandbox(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    JsonBody { value: asked, .. }: JsonBody<RunInSandbox>,
) -> Result<Response, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let name = asked.context.as_deref().unwrap_or(DEFAULT_CONTEXT);
    let language = match (&asked.language, sandbox.context(name)) {
        (Some(language), _) => parse_language(language)?,
        (None, Some(context)) => context.language,
        (None, None) => sandbox.spec.language()?,
    };
    if let Some(timeout) = &asked.timeout {
        let made = shared.resources.sandbox(sandbox.key(language)).await?;
        shared.resources.grants.check_timeout(timeout.0, &sandbox.spec, &made)?;
    }
    let (context, is_new) = sandbox.context_or_new(name, language, &shared.resources)?;
    if is_new {
        super::contexts::store(&shared, &sandbox, &context).await?;
    }
    let request = StoredRequest {
        code: asked.code,
        language: language.name().into(),
        spec: None,
        environment: Environment::new(),
        timeout_ms: asked.timeout.map(milliseconds),
        variables: asked.variables,
        filename: asked.filename,
        rollback_on_error: asked.rollback_on_error,
        is_background: asked.background,
    };
    let place = Some((sandbox.id.clone(), context.name.clone()));
    let run = shared.resources.new_run(&caller.name, place, request);
    begin(&shared, run, Target::Context(sandbox, context), &headers).await
}

/// Run a program in a guest of its own
///
/// As in a sandbox, except that nothing of it remains.
#[utoipa::path(
    post,
    path = "/v1/runs",
    operation_id = "run",
    tag = "runs",
    request_body = RunFresh,
    responses(
        (status = OK, body = Run),
        (status = ACCEPTED, body = Run, description = "The run has begun in the background, or is paused"),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room for what the program would leave")
    )
)]
pub(super) async fn run(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody { value: asked, .. }: JsonBody<RunFresh>,
) -> Result<Response, Failure> {
    let spec = SandboxSpec {
        language: asked.language.unwrap_or_default(),
        policy: asked.policy,
        tools: asked.tools,
        approves: asked.approves,
        pauses: false,
        e2b: None,
        is_user: caller.is_user,
    };
    let spec = spec.checked(&caller, &shared.resources.grants)?;
    if let Some(timeout) = &asked.timeout {
        let made = shared.resources.sandbox(Key::new(&spec, spec.language()?, None)).await?;
        shared.resources.grants.check_timeout(timeout.0, &spec, &made)?;
    }
    let request = StoredRequest {
        code: asked.code,
        language: spec.language()?.name().into(),
        spec: Some(spec.clone()),
        environment: Environment::new(),
        timeout_ms: asked.timeout.map(milliseconds),
        variables: asked.variables,
        filename: asked.filename,
        rollback_on_error: false,
        is_background: asked.background,
    };
    let run = shared.resources.new_run(&caller.name, None, request);
    begin(&shared, run, Target::Fresh(spec), &headers).await
}

fn milliseconds(span: Span) -> u64 {
    u64::try_from(span.0.as_millis()).unwrap_or(u64::MAX)
}

async fn begin(
    shared: &Arc<Shared>,
    run: Arc<LiveRun>,
    target: Target,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    target.check_room(shared, &run.owner).await?;
    let is_stream = !run.request.is_background && events::are_wanted(headers);
    // A program whose response there is no memory for must not have begun.
    let room = if is_stream { Room::of(WINDOW).await? } else { Room::empty() };
    shared.resources.runs.add(&run, shared.resources.limits.runs_of_caller)?;
    let is_background = run.request.is_background;
    if is_background {
        // It is acknowledged, and must survive if the process is killed now.
        let row = run.row();
        if let Err(error) =
            shared.resources.store.change(move |connection| rows::put_run(connection, &row).map(drop)).await
        {
            shared.resources.runs.remove(&run.id);
            return Err(error.into());
        }
        if let Err(failure) = execution::publish(shared, &run, &run.progress()).await {
            shared.resources.runs.remove(&run.id);
            let id = run.id.clone();
            shared.resources.store.post(move |connection| rows::delete_run(connection, &id)).await;
            return Err(failure);
        }
    }
    Execution { shared: Arc::clone(shared), run: Arc::clone(&run), target }.spawn();
    if is_background {
        return Ok((StatusCode::ACCEPTED, Json(Run::of(&run))).into_response());
    }
    let cancel = CancelOnDrop(Some(Arc::clone(&run)));
    if is_stream {
        return Ok(room.holding(events::stream(run, 0, Some(cancel))));
    }
    let is_paused = run.finished_or_paused().await;
    let mut cancel = cancel;
    cancel.0 = None;
    let status = if is_paused { StatusCode::ACCEPTED } else { StatusCode::OK };
    respond_at_end(status, &run).await
}
