//! Programs: run, list, inspect, cancel; their output, and answers to their calls.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::{
    Json,
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, StatusCode, Uri};
use isolette::Answer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{IntoParams, ToSchema};

use super::{
    events,
    extract::{JsonBody, Path, Query},
    forward,
    run::{CancelOnDrop, Found, Run, find},
    times::Span,
    uninterrupted::uninterrupted,
};
use crate::{
    caller::Caller,
    execution::{self, Execution, Target},
    failure::{ErrorBody, Failure},
    run::{LiveRun, StoredRequest},
    sandboxes::DEFAULT_CONTEXT,
    shared::Shared,
    spec::{SandboxSpec, ToolSpec, parse_language},
    store::rows,
};

/// Maximum number of runs that are listed.
const LISTED: u32 = 1000;

/// The longest time that a request waits for the end of a run.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

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
    /// The wall time of the program. Default: that of the policy.
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
    /// The wall time of the program. Default: that of the policy.
    timeout: Option<Span>,
    /// Globals that are set before the program.
    variables: Map<String, Value>,
    /// The name of the program in tracebacks.
    filename: Option<String>,
    /// Whether the response has the run as it begins (status 202), and the program goes on without the caller.
    background: bool,
}

/// Runs of the caller, the latest first.
#[derive(Serialize, ToSchema)]
pub(super) struct RunList {
    runs: Vec<Run>,
}

/// Which runs to list.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Listing {
    /// Only those in this sandbox.
    sandbox: Option<String>,
    /// Maximum number of runs, up to 1,000. Default: 100.
    limit: Option<u32>,
}

/// How long to wait.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Waiting {
    /// Wait this long for the end of the run, up to 1 hour. The response has the run as it is then.
    wait: Option<Span>,
}

/// Answers by the numbers of calls.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Answers {
    /// `{"1": {"value": 5}, "2": {"error": "no such order"}, "3": "approve", "4": {"deny": "too much"}}`
    #[schema(value_type = Object)]
    answers: BTreeMap<u64, Answer>,
}

/// Run a program in a sandbox
///
/// The response has the run when it has ended, and the program is cancelled if the caller goes away. With
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
        (status = ACCEPTED, body = Run, description = "The run has begun in the background"),
        (status = "4XX", body = ErrorBody)
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
    let (context, is_new) = sandbox.context_or_new(name, language, &shared.resources.limits)?;
    if is_new {
        super::contexts::store(&shared, &sandbox, &context).await?;
    }
    let request = StoredRequest {
        code: asked.code,
        language: language.name().into(),
        spec: None,
        timeout_ms: asked.timeout.map(milliseconds),
        variables: asked.variables,
        filename: asked.filename,
        rollback_on_error: asked.rollback_on_error,
        is_background: asked.background,
    };
    let place = Some((sandbox.id.clone(), context.name.clone()));
    let run = LiveRun::new(
        shared.resources.run_id(),
        Arc::clone(&caller.name),
        place,
        request,
        shared.resources.ending.child_token(),
    );
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
        (status = "4XX", body = ErrorBody)
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
        is_user: caller.is_user,
    };
    let spec = spec.checked(&caller, &shared.resources.grants)?;
    let request = StoredRequest {
        code: asked.code,
        language: spec.language()?.name().into(),
        spec: Some(spec.clone()),
        timeout_ms: asked.timeout.map(milliseconds),
        variables: asked.variables,
        filename: asked.filename,
        rollback_on_error: false,
        is_background: asked.background,
    };
    let run = LiveRun::new(
        shared.resources.run_id(),
        Arc::clone(&caller.name),
        None,
        request,
        shared.resources.ending.child_token(),
    );
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
    shared.resources.runs.add(&run, shared.resources.limits.runs_of_caller)?;
    let is_background = run.request.is_background;
    if is_background {
        // It is acknowledged, and must be there if the process is killed now.
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
    let cancel = CancelOnDrop(Some(run.cancel.clone()));
    if events::are_wanted(headers) {
        return Ok(events::stream(run, 0, Some(cancel)));
    }
    let is_paused = run.finished_or_paused().await;
    let mut cancel = cancel;
    cancel.0 = None;
    let status = if is_paused { StatusCode::ACCEPTED } else { StatusCode::OK };
    Ok((status, Json(Run::of(&run))).into_response())
}

/// List runs of the caller
#[utoipa::path(
    get,
    path = "/v1/runs",
    operation_id = "list_runs",
    tag = "runs",
    params(Listing),
    responses((status = OK, body = RunList), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Query(listing): Query<Listing>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<Value>, Failure> {
    let sandbox = match &listing.sandbox {
        Some(id) => Some(shared.sandboxes.look_at(&caller.name, id)?.id.clone()),
        None => None,
    };
    let limit = listing.limit.unwrap_or(100).min(LISTED);
    let mut live: Vec<_> = shared.resources.runs.of_caller(&caller.name);
    live.retain(|run| sandbox.is_none() || run.sandbox == sandbox);
    let owner = caller.name.to_string();
    let stored = move |connection: &rusqlite::Connection| rows::runs_of(connection, &owner, sandbox.as_deref(), limit);
    let mut rows = shared.resources.store.read(stored).await?;
    // What lives is newer than what is stored of it.
    rows.retain(|row| !live.iter().any(|run| run.id == row.id));
    rows.extend(live.iter().map(|run| run.row()));
    rows.sort_by(|one, other| (other.created, &other.id).cmp(&(one.created, &one.id)));
    rows.truncate(limit as usize);
    let runs = rows.into_iter().map(|row| json!(Run::of_row(row)));
    let mut runs: Vec<Value> = runs.collect();
    let path = uri.path_and_query().map_or("/v1/runs", |path| path.as_str());
    // Those in a sandbox are where it is.
    if listing.sandbox.is_none() && !forward::is_passed_on(&headers) {
        runs.extend(forward::gather(&shared, &headers, path, "runs").await?);
        let known = runs.iter().filter_map(|run| run["id"].as_str().map(str::to_owned)).collect();
        let others = execution::of_others(&shared, &caller.name, &known, limit as usize).await?;
        runs.extend(others.into_iter().map(|row| json!(Run::of_row(row))));
        let at = |run: &Value| (run["created_at"].to_string(), run["id"].to_string());
        runs.sort_by_cached_key(|run| std::cmp::Reverse(at(run)));
        runs.dedup_by(|one, other| one["id"] == other["id"]);
        runs.truncate(limit as usize);
    }
    Ok(Json(json!({ "runs": runs })))
}

/// Return a run
#[utoipa::path(
    get,
    path = "/v1/runs/{run}",
    operation_id = "inspect_run",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run"), Waiting),
    responses((status = OK, body = Run), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn inspect(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(waiting): Query<Waiting>,
) -> Result<Json<Run>, Failure> {
    match find(&shared, &caller, &id).await? {
        Found::Stored(row) => Ok(Json(Run::of_row(*row))),
        Found::Live(run) => {
            if let Some(Span(time)) = waiting.wait {
                // A paused program does not end by itself.
                let _ = tokio::time::timeout(time.min(LONGEST_WAIT), run.finished_or_paused()).await;
            }
            Ok(Json(Run::of(&run)))
        }
    }
}

/// Cancel a run
///
/// The response has the run when it has ended.
#[utoipa::path(
    post,
    path = "/v1/runs/{run}/cancel",
    operation_id = "cancel_run",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run")),
    responses((status = OK, body = Run), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Run>, Failure> {
    match find(&shared, &caller, &id).await? {
        Found::Stored(row) => Ok(Json(Run::of_row(*row))),
        Found::Live(run) => {
            execution::cancel(&shared, &run).await;
            run.finished().await;
            Ok(Json(Run::of(&run)))
        }
    }
}

/// Answer calls that wait
///
/// The run goes on in the background.
#[utoipa::path(
    post,
    path = "/v1/runs/{run}/answers",
    operation_id = "answer_run",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run")),
    request_body = Answers,
    responses((status = ACCEPTED, body = Run), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn answer(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Answers>,
) -> Result<(StatusCode, Json<Run>), Failure> {
    match find(&shared, &caller, &id).await? {
        Found::Stored(row) => Err(Failure::conflict(
            format!("the run does not wait for answers: it is {}", row.state),
            "look at the `state` of the run",
        )),
        Found::Live(run) => {
            let (shared, answered) = (Arc::clone(&shared), Arc::clone(&run));
            let answers = asked.answers.into_iter().collect();
            // It goes on if the caller goes away: a program that was taken from its place must continue.
            uninterrupted(async move { execution::answer(&shared, &answered, answers).await }).await?;
            Ok((StatusCode::ACCEPTED, Json(Run::of(&run))))
        }
    }
}
