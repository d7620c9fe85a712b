//! One run: its form in responses, and where it is found.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

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
    id: String,
    sandbox: Option<String>,
    context: Option<String>,
    state: RunState,
    /// In UTC.
    created_at: String,
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

pub(super) async fn find(shared: &Arc<Shared>, caller: &Caller, id: &str) -> Result<Found, Failure> {
    if let Some(run) = shared.resources.runs.find(&caller.name, id) {
        return Ok(Found::Live(run));
    }
    let (owner, id_) = (caller.name.to_string(), id.to_owned());
    let row = shared.resources.store.read(move |connection| rows::find_run(connection, &owner, &id_)).await?;
    row.map(Box::new).map(Found::Stored).ok_or_else(|| Failure::not_found("run", id))
}

/// The events of a run, from memory or from the database.
pub(super) async fn log_of(
    shared: &Arc<Shared>,
    caller: &Caller,
    id: &str,
) -> Result<(Arc<Log>, RunRow, Option<Arc<LiveRun>>), Failure> {
    match find(shared, caller, id).await? {
        Found::Live(run) => Ok((Arc::clone(&run.log), run.row(), Some(run))),
        Found::Stored(row) => {
            let id = row.id.clone();
            let output = shared.resources.store.read(move |connection| rows::output_of(connection, &id)).await?;
            Ok((Arc::new(Log::stored(output, true)), *row, None))
        }
    }
}
