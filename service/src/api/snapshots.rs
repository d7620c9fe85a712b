//! Snapshots of sandboxes.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::extract::{JsonBody, Query};
use crate::{
    caller::Caller,
    clock,
    failure::{ErrorBody, Failure},
    shared::Shared,
    snapshots::SavedState,
    store::rows::{self, SnapshotRow},
};

/// Maximum length of a note in characters.
const NOTE: usize = 1000;

/// A snapshot to take.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct CreateSnapshot {
    /// A text of the caller, up to 1,000 characters.
    note: String,
}

/// A snapshot: the contexts and files that a sandbox had at one moment.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Snapshot {
    id: String,
    /// The sandbox that it was taken of, which may be deleted by now.
    sandbox: String,
    note: String,
    /// In UTC.
    created_at: String,
    /// The names of its contexts.
    contexts: Vec<String>,
    /// The number of its files.
    files: usize,
    /// The bytes of its files. Snapshots share what is the same in several.
    file_bytes: u64,
}

/// Snapshots of the caller, the latest first.
#[derive(Serialize, ToSchema)]
pub(super) struct SnapshotList {
    snapshots: Vec<Snapshot>,
}

/// Which snapshots to list.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Listing {
    /// Only those of this sandbox, by its identifier.
    sandbox: Option<String>,
}

impl Snapshot {
    fn of(row: SnapshotRow) -> Result<Self, Failure> {
        let state = SavedState::stored(&row)?;
        Ok(Self {
            id: row.id,
            sandbox: row.sandbox,
            note: row.note,
            created_at: clock::text(row.created),
            contexts: state.contexts.into_iter().map(|context| context.name).collect(),
            files: state.files.iter().filter(|file| file.blob.is_some()).count(),
            file_bytes: state.bytes,
        })
    }
}

/// Finds a snapshot of a caller.
pub(super) async fn find(shared: &Arc<Shared>, caller: &Caller, id: &str) -> Result<SnapshotRow, Failure> {
    let (owner, wanted) = (caller.name.to_string(), id.to_owned());
    let row = shared.resources.store.read(move |connection| rows::find_snapshot(connection, &owner, &wanted)).await?;
    row.ok_or_else(|| Failure::not_found("snapshot", id))
}

/// Take a snapshot of a sandbox
///
/// It waits for programs that run in the sandbox. Policy and tools are not part of it.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/snapshots",
    operation_id = "create_snapshot",
    tag = "snapshots",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = CreateSnapshot,
    responses((status = CREATED, body = Snapshot), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<CreateSnapshot>,
) -> Result<(StatusCode, Json<Snapshot>), Failure> {
    if asked.note.chars().count() > NOTE {
        return Err(Failure::invalid("`note` is too long", format!("use up to {NOTE} characters")));
    }
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let row = shared.take_snapshot(&sandbox, asked.note).await?;
    Ok((StatusCode::CREATED, Json(Snapshot::of(row)?)))
}

/// List snapshots of the caller
#[utoipa::path(
    get,
    path = "/v1/snapshots",
    operation_id = "list_snapshots",
    tag = "snapshots",
    params(Listing),
    responses((status = OK, body = SnapshotList))
)]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Query(Listing { sandbox }): Query<Listing>,
) -> Result<Json<SnapshotList>, Failure> {
    let owner = caller.name.to_string();
    let rows = shared
        .resources
        .store
        .read(move |connection| rows::snapshots_of(connection, &owner, sandbox.as_deref()))
        .await?;
    let snapshots = rows.into_iter().map(Snapshot::of).collect::<Result<_, _>>()?;
    Ok(Json(SnapshotList { snapshots }))
}

/// Return a snapshot
#[utoipa::path(
    get,
    path = "/v1/snapshots/{snapshot}",
    operation_id = "inspect_snapshot",
    tag = "snapshots",
    params(("snapshot" = String, Path, description = "The identifier of the snapshot")),
    responses((status = OK, body = Snapshot), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn inspect(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Snapshot>, Failure> {
    Ok(Json(Snapshot::of(find(&shared, &caller, &id).await?)?))
}

/// Delete a snapshot
///
/// Sandboxes that continue from it are not affected.
#[utoipa::path(
    delete,
    path = "/v1/snapshots/{snapshot}",
    operation_id = "delete_snapshot",
    tag = "snapshots",
    params(("snapshot" = String, Path, description = "The identifier of the snapshot")),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    let row = find(&shared, &caller, &id).await?;
    let blobs = SavedState::stored(&row)?.blobs();
    let unused =
        shared.resources.store.change(move |connection| rows::delete_snapshot(connection, &row.id, &blobs)).await?;
    shared.resources.store.remove_blobs(unused).await;
    Ok(StatusCode::NO_CONTENT)
}
