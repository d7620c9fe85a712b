//! Programs that have begun: list, inspect, cancel them, and answer their calls.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::{extract::State, response::Response};
use http::{HeaderMap, StatusCode, Uri};
use isolette::Answer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::{
    extract::{JsonBody, Path, Query},
    forward,
    reply::Room,
    run::{Found, Run, find, respond},
    times::Span,
    uninterrupted::uninterrupted,
};
use crate::{
    caller::Caller,
    execution,
    failure::{ErrorBody, Failure},
    shared::Shared,
    store::rows,
};

/// Maximum number of runs that are listed.
const LISTED: u32 = 1000;

/// The longest time that a request waits for the end of a run.
const LONGEST_WAIT: Duration = Duration::from_secs(60 * 60);

/// Runs of the caller, the latest first.
#[derive(Serialize, ToSchema)]
pub(super) struct RunList {
    runs: Vec<Run>,
}

/// A run of this server, or as another one has listed it.
#[derive(Serialize)]
#[serde(untagged)]
enum Listed {
    Own(Box<Run>),
    Other(Value),
}

impl Listed {
    fn id(&self) -> &str {
        match self {
            Self::Own(run) => &run.id,
            Self::Other(run) => run["id"].as_str().unwrap_or_default(),
        }
    }

    /// The place in the order of the list.
    fn at(&self) -> (String, String) {
        let created = match self {
            Self::Own(run) => &run.created_at,
            Self::Other(run) => run["created_at"].as_str().unwrap_or_default(),
        };
        (created.to_owned(), self.id().to_owned())
    }
}

/// [`RunList`], with runs of several servers.
#[derive(Serialize)]
struct AllRuns {
    runs: Vec<Listed>,
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
) -> Result<Response, Failure> {
    let sandbox = match &listing.sandbox {
        Some(id) => Some(shared.sandboxes.look_at(&caller.name, id)?.id.clone()),
        None => None,
    };
    let limit = listing.limit.unwrap_or(100).min(LISTED);
    let mut live: Vec<_> = shared.resources.runs.of_caller(&caller.name);
    live.retain(|run| sandbox.is_none() || run.sandbox == sandbox);
    let owner = caller.name.to_string();
    let of = (owner.clone(), sandbox.clone());
    let bytes = move |connection: &rusqlite::Connection| rows::runs_bytes(connection, &of.0, of.1.as_deref(), limit);
    let bytes = shared.resources.store.read(bytes).await?;
    let bytes = live.iter().fold(bytes, |bytes, run| bytes.saturating_add(run.result_bytes()));
    // Once as rows and once as the response.
    let room = Room::of(bytes.saturating_mul(2)).await?;
    let stored = move |connection: &rusqlite::Connection| {
        rows::runs_of(connection, &owner, sandbox.as_deref(), limit, |row| row)
    };
    let mut rows = shared.resources.store.read(stored).await?;
    // Runs in memory are newer than their rows.
    rows.retain(|row| !live.iter().any(|run| run.id == row.id));
    rows.extend(live.iter().map(|run| run.row()));
    rows.sort_by(|one, other| (other.created, &other.id).cmp(&(one.created, &one.id)));
    rows.truncate(limit as usize);
    let own = |row| Listed::Own(Box::new(Run::of_row(row)));
    let mut runs: Vec<Listed> = rows.into_iter().map(own).collect();
    let path = uri.path_and_query().map_or("/v1/runs", |path| path.as_str());
    // The runs of a sandbox are at the replica that has the sandbox.
    if listing.sandbox.is_none() && !forward::is_passed_on(&headers) {
        runs.extend(forward::gather(&shared, &headers, path, "runs").await?.into_iter().map(Listed::Other));
        let known = runs.iter().map(|run| run.id().to_owned()).collect();
        let others = execution::of_others(&shared, &caller.name, &known, limit as usize).await?;
        runs.extend(others.into_iter().map(own));
        runs.sort_by_cached_key(|run| std::cmp::Reverse(run.at()));
        runs.dedup_by(|one, other| one.id() == other.id());
        runs.truncate(limit as usize);
    }
    room.json(StatusCode::OK, &AllRuns { runs }).await
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
) -> Result<Response, Failure> {
    match find(&shared, &caller, &id).await? {
        (Found::Stored(row), room) => room.json(StatusCode::OK, &Run::of_row(*row)).await,
        (Found::Live(run), room) => {
            if let Some(Span(time)) = waiting.wait {
                // A paused program does not end by itself.
                let _ = tokio::time::timeout(time.min(LONGEST_WAIT), run.finished_or_paused()).await;
            }
            respond(room, StatusCode::OK, &run).await
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
) -> Result<Response, Failure> {
    match find(&shared, &caller, &id).await? {
        (Found::Stored(row), room) => room.json(StatusCode::OK, &Run::of_row(*row)).await,
        (Found::Live(run), room) => {
            execution::cancel(&shared, &run).await?;
            run.finished().await;
            respond(room, StatusCode::OK, &run).await
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
    responses(
        (status = ACCEPTED, body = Run),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
)]
pub(super) async fn answer(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Answers>,
) -> Result<Response, Failure> {
    match find(&shared, &caller, &id).await? {
        (Found::Stored(row), _) => Err(Failure::conflict(
            format!("the run does not wait for answers: it is {}", row.state),
            "look at the `state` of the run",
        )),
        (Found::Live(run), room) => {
            let (shared, answered) = (Arc::clone(&shared), Arc::clone(&run));
            let answers = asked.answers.into_iter().collect();
            // It goes on if the caller goes away: a program that was taken from its place must continue.
            uninterrupted(async move { execution::answer(&shared, &answered, answers).await }).await?;
            respond(room, StatusCode::ACCEPTED, &run).await
        }
    }
}
