//! One run: its form in responses, and where it is found.

use std::{sync::Arc, time::Duration};

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::reply::Room;
use crate::{
    caller::Caller,
    clock,
    failure::{ErrorDetail, Failure},
    run::{LiveRun, Log, RunState},
    shared::Shared,
    store::rows::{self, RunRow},
};

/// A run.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Run {
    pub(super) id: String,
    sandbox: Option<String>,
    context: Option<String>,
    state: RunState,
    /// In UTC.
    pub(super) created_at: String,
    started_at: Option<String>,
    ended_at: Option<String>,
    /// The calls that wait for answers, as `isolette run --pause-on --json` prints them.
    #[schema(value_type = Vec<Object>)]
    calls: Box<RawValue>,
    /// The result, as `isolette run --json` prints it. That of a program that was ended by the host is partial.
    #[schema(value_type = Option<Object>)]
    result: Option<Box<RawValue>>,
    /// Why the host ended the program, or did not begin it. An exception of the program is in the result.
    error: Option<ErrorDetail>,
    /// Why the effects of the program do not survive the server as others do: its context could not be saved, or it waits in this
    /// server only. They are there until its guest ends.
    warning: Option<ErrorDetail>,
}

fn raw(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

impl Run {
    pub(super) fn of(run: &LiveRun) -> Self {
        Self::of_row(run.row())
    }

    pub(super) fn of_row(row: RunRow) -> Self {
        Self {
            id: row.id,
            sandbox: row.sandbox,
            context: row.context,
            state: RunState::stored(&row.state),
            created_at: clock::text(row.created),
            started_at: row.started.map(clock::text),
            ended_at: row.ended.map(clock::text),
            calls: raw(row.calls).unwrap_or_default(),
            result: row.result.and_then(raw),
            error: row.error.and_then(|text| serde_json::from_str(&text).ok()),
            warning: row.warning.and_then(|text| serde_json::from_str(&text).ok()),
        }
    }
}

/// How long the response to a program that has ended waits for memory.
const WAIT_AT_END: Duration = Duration::from_secs(60);

/// Responds with a run in memory.
pub(super) async fn respond(mut room: Room, status: StatusCode, run: &LiveRun) -> Result<Response, Failure> {
    room.grow(run.result_bytes().saturating_mul(2)).await?;
    room.json(status, &Run::of(run)).await
}

/// Responds to the request that has begun a run, with the run as it is now. If there is no memory for that, the failure says where the
/// run can be read: the program is not to be begun again.
pub(super) async fn respond_at_end(status: StatusCode, run: &LiveRun) -> Result<Response, Failure> {
    respond(Room::patient(WAIT_AT_END), status, run).await.map_err(|failure| {
        let id = &run.id;
        failure.after(&format!(
            "the program was run: `GET /v1/runs/{id}/logs` has its output in parts, `GET /v1/runs/{id}` all"
        ))
    })
}

/// Cancels a program whose caller has gone away, unless it is paused: then another request can answer its calls.
pub(super) struct CancelOnDrop(pub(super) Option<Arc<LiveRun>>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Some(run) = self.0.take().filter(|run| run.state() != RunState::Paused) {
            run.cancel.cancel();
        }
    }
}

/// A run in memory, or its row in the database.
pub(super) enum Found {
    Live(Arc<LiveRun>),
    Stored(Box<RunRow>),
}

/// Finds a run. If it is stored, the second value has the memory for its row, and as much for a response.
pub(super) async fn find(shared: &Arc<Shared>, caller: &Caller, id: &str) -> Result<(Found, Room), Failure> {
    if let Some(run) = shared.resources.runs.find(&caller.name, id) {
        return Ok((Found::Live(run), Room::empty()));
    }
    let absent = || Failure::not_found("run", id);
    let (owner, id_) = (caller.name.to_string(), id.to_owned());
    let bytes = shared.resources.store.read(move |connection| rows::run_bytes(connection, &owner, &id_)).await?;
    let room = Room::of(bytes.ok_or_else(absent)?.saturating_mul(2)).await?;
    let (owner, id_) = (caller.name.to_string(), id.to_owned());
    let row = shared.resources.store.read(move |connection| rows::find_run(connection, &owner, &id_)).await?;
    let row = row.map(Box::new).ok_or_else(absent)?;
    Ok((Found::Stored(row), room))
}

/// The row and the output of a run, and the run if this process has it in memory.
pub(super) struct Logged {
    pub(super) log: Arc<Log>,
    pub(super) row: RunRow,
    pub(super) live: Option<Arc<LiveRun>>,
    /// The memory of the row, and of the output if it was stored.
    pub(super) room: Room,
}

/// The events of a run, from memory or from the database.
pub(super) async fn log_of(shared: &Arc<Shared>, caller: &Caller, id: &str) -> Result<Logged, Failure> {
    match find(shared, caller, id).await? {
        (Found::Live(run), mut room) => {
            room.grow(run.result_bytes().saturating_mul(2)).await?;
            Ok(Logged { log: Arc::clone(&run.log), row: run.row(), live: Some(run), room })
        }
        (Found::Stored(row), mut room) => {
            let id = row.id.clone();
            let bytes = shared.resources.store.read(move |connection| rows::output_bytes(connection, &id)).await?;
            room.grow(bytes).await?;
            let id = row.id.clone();
            let output = shared.resources.store.read(move |connection| rows::output_of(connection, &id)).await?;
            Ok(Logged { log: Arc::new(Log::stored(output, true)), row: *row, live: None, room })
        }
    }
}
