//! The page that shows a run, and the data that it shows.

use std::sync::{Arc, LazyLock};

use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use isolette::values::{Reservation, ValueMemory, WAIT, value_bytes};
use isolette_inspector::{Document, File, LIVE_POLICY, Node, NodeKind, Output, Pictures, live_page, perfetto};
use isolette_listener::responses::Uncounted;
use serde_json::Value;

use super::{
    extract::Path,
    reply::Room,
    run::{Logged, log_of},
};
use crate::{
    caller::Caller,
    clock,
    failure::{ErrorBody, Failure},
    grants::Key,
    run::{Log, StoredRequest},
    sandboxes::LiveSandbox,
    shared::Shared,
    spec::parse_language,
    store::rows::{self, RunRow, SnapshotRow},
};

/// The path of the page. It has no data, and needs no token.
pub(super) const PAGE: &str = "/inspector";

/// Maximum number of runs of a sandbox that are in its tree: the latest ones.
const CELLS: u32 = 500;

/// The page that a browser shows. It asks for a token, and for what it shows of each run.
pub(super) async fn page() -> Response {
    let policy = HeaderValue::from_str(&LIVE_POLICY).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    // All responses share the bytes.
    static BYTES: LazyLock<Bytes> = LazyLock::new(|| live_page().into());
    (headers, Extension(Uncounted), BYTES.clone()).into_response()
}

/// Return what a page shows of a run
///
/// Its code, calls, output, value, pictures, what it used of its limits; and the cells, snapshots and forks of its sandbox.
/// `GET /inspector` is a page that shows it. `isolette inspect-run` makes a page of it, too.
#[utoipa::path(
    get,
    path = "/v1/runs/{run}/document",
    operation_id = "run_document",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run")),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn document(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let Made { document, room, .. } = make(&shared, &caller, &id, true).await?;
    room.json(StatusCode::OK, &document).await
}

/// Return a trace of a run, for <https://ui.perfetto.dev>
#[utoipa::path(
    get,
    path = "/v1/runs/{run}/trace",
    operation_id = "run_trace",
    tag = "runs",
    params(("run" = String, Path, description = "The identifier of the run")),
    responses((status = OK, body = Object), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn trace(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let Made { document, room, .. } = make(&shared, &caller, &id, false).await?;
    room.json(StatusCode::OK, &perfetto(&document)).await
}

/// A document, with its memory.
struct Made {
    document: Document,
    /// The memory of its texts, and of the response.
    room: Room,
    /// The memory of its values.
    _values: Reservation,
}

async fn make(shared: &Arc<Shared>, caller: &Caller, id: &str, has_pictures: bool) -> Result<Made, Failure> {
    let Logged { log, row, live, mut room } = log_of(shared, caller, id).await?;
    let text = row.result.as_deref().unwrap_or_default().as_bytes();
    let values = ValueMemory::wait(tokio::time::sleep(WAIT), || ValueMemory::reserve(value_bytes(text))).await;
    let values = values.map_err(|why| Failure::no_memory(&why))?;
    // As texts of the document, and once more as the response.
    let output = if row.result.is_none() { log.output_bytes() } else { 0 };
    room.grow((row.request.len() as u64).saturating_add(output).saturating_mul(2)).await?;
    let sandbox = row.sandbox.as_ref().and_then(|id| shared.sandboxes.look_at(&caller.name, id).ok());
    let request: StoredRequest = serde_json::from_str(&row.request).unwrap_or_default();
    let limits = limits(shared, sandbox.as_deref(), &request).await;
    let mut run = of_row(&row, request, &log)?;
    if let (Some(live), None) = (&live, &row.result) {
        let damaged = |reason| Failure::invalid(format!("its calls cannot be shown: {reason}"), "wait for its end");
        run.add_calls(&serde_json::json!(live.ended_calls())).map_err(damaged)?;
    }
    if let Some(limits) = limits {
        run.set_limits(&limits);
    }
    if let Some(sandbox) = sandbox.as_ref().filter(|_| has_pictures) {
        add_pictures(&mut run, sandbox, &mut room).await?;
    }
    let tree = match &sandbox {
        Some(sandbox) => tree(shared, caller, sandbox).await?,
        None => Vec::new(),
    };
    let document = Document { runs: vec![run], tree, notes: Vec::new() };
    let document = document.finished().map_err(|error| Failure::invalid(error.to_string(), "see its audit"))?;
    Ok(Made { document, room, _values: values })
}

/// The limits of a run, as policies name them, if its policy can still be applied.
async fn limits(shared: &Arc<Shared>, sandbox: Option<&LiveSandbox>, request: &StoredRequest) -> Option<Value> {
    let language = parse_language(&request.language).ok()?;
    let key = match (sandbox, &request.spec) {
        (Some(sandbox), _) => sandbox.key(language),
        (None, Some(spec)) => Key::new(spec, language, None),
        (None, None) => return None,
    };
    let effective = shared.resources.sandbox(key).await.ok()?.explain();
    let mut limits = serde_json::to_value(effective.policy.limits).ok()?;
    if let Some(timeout) = request.timeout_ms {
        limits["timeout_ms"] = timeout.into();
    }
    Some(limits)
}

fn of_row(row: &RunRow, request: StoredRequest, log: &Log) -> Result<isolette_inspector::Run, Failure> {
    let mut run = isolette_inspector::Run {
        run: row.id.clone(),
        session: row.sandbox.clone(),
        language: Some(request.language),
        program: request.filename,
        code_bytes: Some(request.code.len() as u64),
        code: Some(request.code),
        began: row.started.map(clock::text),
        ended: row.ended.map(clock::text),
        ..isolette_inspector::Run::default()
    };
    let error: Option<Value> = row.error.as_deref().and_then(|text| serde_json::from_str(text).ok());
    if let Some(error) = &error {
        run.ending = error["type"].as_str().map(str::to_owned);
        run.error = error["message"].as_str().map(str::to_owned);
    }
    let result: Option<Value> = row.result.as_deref().and_then(|text| serde_json::from_str(text).ok());
    if let Some(result) = &result {
        let damaged =
            |reason| Failure::invalid(format!("the result of the run cannot be shown: {reason}"), "run it again");
        run.add_result(result).map_err(damaged)?;
        if let Some(id) = result["run"].as_str() {
            run.labels.insert("run".into(), id.into());
        }
    } else {
        for (stream, bytes) in log.parts() {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            run.output.push(Output { stream: stream.to_owned(), text });
        }
    }
    if let Some(context) = &row.context {
        run.labels.insert("context".into(), context.clone());
    }
    Ok(run)
}

/// Adds pictures that are in the folder of the sandbox as the program has left them, as many as a page has.
async fn add_pictures(
    run: &mut isolette_inspector::Run,
    sandbox: &LiveSandbox,
    room: &mut Room,
) -> Result<(), Failure> {
    let mut pictures = Pictures::default();
    for file in &mut run.files {
        let length = pictures.wanted(file);
        // Twice in base64: in the document and in the response.
        room.grow(File::base64_length(length).saturating_mul(2)).await?;
        let (folder, path) = (sandbox.files(), file.path.clone());
        if let Ok(bytes) = folder.within(move |folder| folder.read_beginning(&path, length)).await {
            pictures.add(file, &bytes);
        }
    }
    let place = format!("`GET /v1/sandboxes/{}/files/content?path=PATH` returns one", sandbox.id);
    run.notes.extend(pictures.note(&place));
    Ok(())
}

/// A run of a sandbox, as its tree shows it.
struct Cell {
    id: String,
    context: Option<String>,
    state: String,
    created: clock::Moment,
}

/// A snapshot of a sandbox, as its tree shows it.
struct Taken {
    id: String,
    note: String,
    created: clock::Moment,
}

/// The cells of a sandbox in their order, with the snapshots and forks that were made between them.
async fn tree(shared: &Arc<Shared>, caller: &Caller, sandbox: &LiveSandbox) -> Result<Vec<Node>, Failure> {
    let (owner, id) = (caller.name.to_string(), sandbox.id.clone());
    // Without their results, which may be long.
    let cell = |row: RunRow| Cell { id: row.id, context: row.context, state: row.state, created: row.created };
    let read = move |connection: &rusqlite::Connection| rows::runs_of(connection, &owner, Some(&id), CELLS, cell);
    let mut cells = shared.resources.store.read(read).await?;
    cells.reverse();
    let root = Node {
        id: sandbox.id.clone(),
        parent: None,
        kind: NodeKind::Session,
        run: None,
        name: sandbox.name.clone().unwrap_or_else(|| sandbox.id.clone()),
        time: Some(clock::text(sandbox.created)),
    };
    let mut tree = vec![root];
    // The time from which each node exists, to find the nodes that others continue from.
    let mut last = vec![(i64::MIN, sandbox.id.clone())];
    for (number, cell) in (1..).zip(&cells) {
        let parent = last.last().map(|(_, id)| id.clone());
        let context = cell.context.as_deref().filter(|context| *context != crate::sandboxes::DEFAULT_CONTEXT);
        let name = context.map_or_else(|| format!("cell {number}"), |context| format!("cell {number} in {context}"));
        tree.push(Node {
            id: cell.id.clone(),
            parent,
            kind: NodeKind::Cell,
            run: Some(cell.id.clone()),
            name: if cell.state == "succeeded" { name } else { format!("{name}: {}", cell.state) },
            time: Some(clock::text(cell.created)),
        });
        last.push((cell.created, cell.id.clone()));
    }
    let before = |moment: i64| last.iter().rev().find(|(time, _)| *time <= moment).map(|(_, id)| id.clone());
    let taken = |row: SnapshotRow| Taken { id: row.id, note: row.note, created: row.created };
    for snapshot in shared.list_snapshots(&caller.name, Some(sandbox.id.clone()), taken).await? {
        let name = if snapshot.note.is_empty() { snapshot.id.clone() } else { snapshot.note };
        let (parent, time) = (before(snapshot.created), Some(clock::text(snapshot.created)));
        tree.push(Node { id: snapshot.id, parent, kind: NodeKind::Snapshot, run: None, name, time });
    }
    let ids: Vec<String> = tree.iter().map(|node| node.id.clone()).collect();
    for fork in shared.sandboxes.list(&caller.name) {
        let Some(origin) = fork.origin.as_ref().filter(|origin| ids.contains(origin)) else { continue };
        let is_of_snapshot = *origin != sandbox.id;
        let parent = if is_of_snapshot { Some(origin.clone()) } else { before(fork.created) };
        let (name, time) = (fork.name.clone().unwrap_or_else(|| fork.id.clone()), Some(clock::text(fork.created)));
        tree.push(Node { id: fork.id.clone(), parent, kind: NodeKind::Fork, run: None, name, time });
    }
    Ok(tree)
}
