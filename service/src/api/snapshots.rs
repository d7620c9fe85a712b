//! Snapshots of sandboxes.

use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::extract::{JsonBody, Path, Query};
use crate::{
    caller::Caller,
    clock,
    failure::{ErrorBody, Failure},
    shared::Shared,
    snapshots::SavedState,
    store::rows::SnapshotRow,
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
    responses(
        (status = CREATED, body = Snapshot),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
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
    let found = shared.list_snapshots(&caller.name, sandbox, Snapshot::of).await?;
    let snapshots = found.into_iter().collect::<Result<_, _>>()?;
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
    Ok(Json(Snapshot::of(shared.find_snapshot(&caller.name, &id).await?)?))
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
    shared.delete_snapshot(&caller.name, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
