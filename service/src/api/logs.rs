//! The output of a run, from any byte.

use std::sync::Arc;

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use http::{HeaderMap, StatusCode, header};
use isolette::{Stream, values::ResponseMemory};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    extract::{Path, Query},
    reply::Room,
};
use crate::{
    caller::Caller,
    failure::{ErrorBody, Failure},
    shared::Shared,
    store::rows,
};

/// Maximum number of bytes of output that one response has.
const LOG_BYTES: usize = 4 << 20;

/// Which output to return.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct LogRange {
    /// `stdout` or `stderr`. Default: both, in the order in which the program has written them.
    stream: Option<String>,
    /// The first byte. Default: 0.
    offset: Option<u64>,
}

/// Output of a run.
#[derive(Serialize, ToSchema)]
pub(super) struct LogPart {
    /// The first byte of `data`.
    offset: u64,
    /// The byte after the last one of `data`, from which to ask for more.
    next_offset: u64,
    /// `utf-8`, or `base64` if the output is not text.
    encoding: &'static str,
    data: String,
    /// Whether the run has ended, and this is the last of its output.
    is_complete: bool,
}

/// Return output of a run, from an offset
///
/// With `Accept: application/octet-stream`, the response has the bytes themselves.
#[utoipa::path(
    get,
    path = "/v1/runs/{run}/logs",
    operation_id = "run_logs",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run"), LogRange),
    responses((status = OK, body = LogPart), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn logs(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(range): Query<LogRange>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let stream = match range.stream.as_deref() {
        None => None,
        Some("stdout") => Some(Stream::Stdout),
        Some("stderr") => Some(Stream::Stderr),
        Some(other) => {
            return Err(Failure::invalid(
                format!("there is no stream `{}`", other.chars().take(40).collect::<String>().escape_debug()),
                "use `stdout` or `stderr`, or leave it out for both",
            ));
        }
    };
    let offset = range.offset.unwrap_or(0);
    // As bytes and as text.
    let most = LOG_BYTES.min(usize::try_from(ResponseMemory::limit() / 16).unwrap_or(LOG_BYTES));
    let room = Room::of(2 * most as u64).await?;
    let (mut bytes, has_ended) = part(&shared, &caller, &id, stream, offset, most + 1).await?;
    let is_complete = has_ended && bytes.len() <= most;
    bytes.truncate(most);
    let wanted = headers.get(header::ACCEPT).is_some_and(|accept| accept == "application/octet-stream");
    if wanted {
        let headers = [(header::CONTENT_TYPE, "application/octet-stream")];
        return Ok(room.holding((headers, bytes).into_response()));
    }
    // A character that is cut at the end is left for the next part.
    if let Err(error) = std::str::from_utf8(&bytes)
        && error.error_len().is_none()
        && error.valid_up_to() > 0
        && !is_complete
    {
        bytes.truncate(error.valid_up_to());
    }
    let next_offset = offset + bytes.len() as u64;
    let (encoding, data) = match String::from_utf8(bytes) {
        Ok(text) => ("utf-8", text),
        Err(error) => ("base64", STANDARD.encode(error.as_bytes())),
    };
    room.json(StatusCode::OK, &LogPart { offset, next_offset, encoding, data, is_complete }).await
}

/// At most `limit` bytes of the output of a run from an offset, and whether there will be no more. Nothing else of the run is read.
async fn part(
    shared: &Arc<Shared>,
    caller: &Caller,
    id: &str,
    stream: Option<Stream>,
    offset: u64,
    limit: usize,
) -> Result<(Vec<u8>, bool), Failure> {
    if let Some(run) = shared.resources.runs.find(&caller.name, id) {
        return Ok(run.log.bytes(stream, offset, limit));
    }
    let (owner, wanted) = (caller.name.to_string(), id.to_owned());
    let is_stderr = stream.map(|stream| stream == Stream::Stderr);
    let read = move |connection: &rusqlite::Connection| match rows::run_bytes(connection, &owner, &wanted)? {
        Some(_) => rows::output_part(connection, &wanted, is_stderr, offset, limit).map(Some),
        None => Ok(None),
    };
    let found = shared.resources.store.read(read).await?;
    found.map(|bytes| (bytes, true)).ok_or_else(|| Failure::not_found("run", id))
}
