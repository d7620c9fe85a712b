//! The files of a sandbox.

use std::sync::Arc;

use axum::{
    body::Body,
    extract::{Request, State},
    response::{IntoResponse as _, Response},
};
use http::{StatusCode, header};
use isolette_listener::{FileBody, responses::Streamed};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    extract::{Path, Query, read as read_body},
    reply::Room,
};
use crate::{
    caller::Caller,
    failure::{ErrorBody, Failure},
    sandboxes::{self, FileKind, Folder},
    shared::Shared,
};

/// A file or a folder.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct FilePath {
    /// A path in `/workspace` or `/output`; a relative one is in `/workspace`.
    #[serde(default)]
    path: String,
}

/// An entry of a folder.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct File {
    name: String,
    /// `file`, `directory` or `other`.
    kind: &'static str,
    /// In bytes.
    size: u64,
}

/// A folder.
#[derive(Serialize, ToSchema)]
pub(super) struct FileList {
    /// Sorted by name, at most 10,000.
    files: Vec<File>,
    /// Whether there are more.
    is_truncated: bool,
}

/// List a folder of a sandbox
#[utoipa::path(
    get,
    path = "/v1/sandboxes/{sandbox}/files",
    operation_id = "list_files",
    tag = "files",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox"), FilePath),
    responses((status = OK, body = FileList), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(FilePath { path }): Query<FilePath>,
) -> Result<Response, Failure> {
    let room = Room::up_to(sandboxes::LIST).await?;
    let folder = shared.sandboxes.look_at(&caller.name, &id)?.files();
    let (listed, is_truncated) = folder.within(move |folder| folder.list(&path)).await?;
    let file = |file: crate::sandboxes::ListedFile| File {
        name: file.name,
        kind: match file.kind {
            FileKind::File => "file",
            FileKind::Directory => "directory",
            FileKind::Other => "other",
        },
        size: file.size,
    };
    let list = FileList { files: listed.into_iter().map(file).collect(), is_truncated };
    room.json(StatusCode::OK, &list).await
}

/// Return the bytes of a file
///
/// They are read while they are sent. If the file becomes shorter meanwhile, the connection breaks off.
#[utoipa::path(
    get,
    path = "/v1/sandboxes/{sandbox}/files/content",
    operation_id = "read_file",
    tag = "files",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox"), FilePath),
    responses(
        (status = OK, body = Vec<u8>, content_type = "application/octet-stream"),
        (status = "4XX", body = ErrorBody)
    )
)]
pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(FilePath { path }): Query<FilePath>,
) -> Result<Response, Failure> {
    let folder = shared.sandboxes.find(&caller.name, &id)?.files();
    download(folder, path, shared.resources.limits.file_bytes).await
}

/// A response with the bytes of a file, which are read while they are sent.
pub(super) async fn download(folder: Folder, path: String, limit: usize) -> Result<Response, Failure> {
    let (file, length) = folder.within(move |folder| folder.open_file(&path, limit as u64)).await?;
    // A browser must not take it for a page of this server.
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, "attachment".to_owned()),
        (header::CONTENT_LENGTH, length.to_string()),
    ];
    let mut response = (headers, Body::new(FileBody::new(file, length))).into_response();
    response.extensions_mut().insert(Streamed);
    Ok(response)
}

/// Write a file as a whole, with the folders above it
#[utoipa::path(
    put,
    path = "/v1/sandboxes/{sandbox}/files/content",
    operation_id = "write_file",
    tag = "files",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox"), FilePath),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses(
        (status = NO_CONTENT),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
)]
pub(super) async fn write(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(FilePath { path }): Query<FilePath>,
    request: Request,
) -> Result<StatusCode, Failure> {
    let folder = shared.sandboxes.find(&caller.name, &id)?.files();
    let (bytes, memory) = read_body(request, shared.resources.limits.file_bytes).await?;
    let room = shared.resources.limits.sandbox_file_bytes;
    folder.within(move |folder| folder.upload(&path, &bytes, &mut folder.space(room)?)).await?;
    drop(memory);
    Ok(StatusCode::NO_CONTENT)
}

/// Delete a file, or a folder with everything in it
#[utoipa::path(
    delete,
    path = "/v1/sandboxes/{sandbox}/files/content",
    operation_id = "delete_file",
    tag = "files",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox"), FilePath),
    responses((status = NO_CONTENT), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    Query(FilePath { path }): Query<FilePath>,
) -> Result<StatusCode, Failure> {
    let folder = shared.sandboxes.find(&caller.name, &id)?.files();
    folder.within(move |folder| folder.delete(&path)).await?;
    Ok(StatusCode::NO_CONTENT)
}
