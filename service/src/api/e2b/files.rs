//! Files of E2B's clients, in `/workspace` and `/output`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{FromRequest as _, Multipart, Request, State},
    response::Response,
};
use http::{StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, access::Access, paths::ClientPath};
use crate::{
    api::{
        extract::{Query, read as read_body},
        files::download,
    },
    failure::Failure,
    sandboxes::{Folder, LiveSandbox, Space},
    shared::Shared,
};

/// Maximum number of files of one request.
const FILES: usize = 1000;

#[derive(Debug, Deserialize)]
pub(super) struct FilePath {
    path: Option<String>,
}

pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    Query(FilePath { path }): Query<FilePath>,
) -> Result<Response, Refusal> {
    let path = ClientPath::of(&path.unwrap_or_default(), &sandbox);
    Ok(download(sandbox.files(), path.inner, shared.resources.limits.file_bytes).await?)
}

/// Writes a file that is the body, or the files of a form.
pub(super) async fn write(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    Query(FilePath { path }): Query<FilePath>,
    request: Request,
) -> Result<Json<Vec<Value>>, Refusal> {
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Refusal::absent("compression of uploads", "send the bytes as they are"));
    }
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_form = kind.starts_with("multipart/form-data");
    let limit = shared.resources.limits.file_bytes;
    let (head, body) = request.into_parts();
    // A form has headers beside the bytes of its files.
    let room = if is_form { limit.saturating_add(1 << 20) } else { limit };
    let (bytes, memory) = read_body(Request::from_parts(head.clone(), body), room).await?;
    let mut written = Vec::new();
    // The files that are there are measured once for all that are written.
    let mut space = None;
    if is_form {
        let mut form = Multipart::from_request(Request::from_parts(head, bytes.into()), &())
            .await
            .map_err(|error| broken(&error.body_text()))?;
        while let Some(field) = form.next_field().await.map_err(|error| broken(&error.body_text()))? {
            let name = path.clone().or_else(|| field.file_name().map(str::to_owned));
            let name = name.ok_or_else(|| Failure::invalid("a file has no path", "name it"))?;
            let bytes = field.bytes().await.map_err(|error| broken(&error.body_text()))?;
            if written.len() >= FILES || bytes.len() > limit {
                let message = format!("the request has more than {FILES} files, or one of more than {limit} bytes");
                let status = StatusCode::PAYLOAD_TOO_LARGE;
                return Err(Failure::new(status, "TooLarge", message, "send less at a time").into());
            }
            written.push(write_one(&shared, &sandbox, &name, bytes, &mut space).await?);
        }
    } else {
        let name = path.ok_or_else(|| Failure::invalid("the file has no path", "name it with `path`"))?;
        written.push(write_one(&shared, &sandbox, &name, bytes, &mut space).await?);
    }
    drop(memory);
    Ok(Json(written))
}

fn broken(why: &str) -> Failure {
    Failure::invalid(format!("the form cannot be read: {why}"), "send multipart/form-data, RFC 7578")
}

async fn write_one(
    shared: &Shared,
    sandbox: &LiveSandbox,
    path: &str,
    bytes: axum::body::Bytes,
    space: &mut Option<Space>,
) -> Result<Value, Failure> {
    let name = path.rsplit('/').next().unwrap_or_default().to_owned();
    let path = ClientPath::of(path, sandbox);
    let shown = path.shown(&path.inner);
    let room = shared.resources.limits.sandbox_file_bytes;
    let before = space.take();
    let write = move |folder: &Folder| {
        let mut space = before.map_or_else(|| folder.space(room), Ok)?;
        folder.upload(&path.inner, &bytes, &mut space).map(|()| space)
    };
    *space = Some(sandbox.files().within(write).await?);
    Ok(json!({ "name": name, "type": "file", "path": shown }))
}

/// Whether the sandbox runs, as far as E2B's clients distinguish that.
pub(super) async fn health(access: Result<Access, Refusal>) -> StatusCode {
    match access {
        Ok(Access(sandbox)) if !sandbox.is_paused() => StatusCode::NO_CONTENT,
        // What E2B's proxy answers for a sandbox that does not run.
        _ => StatusCode::BAD_GATEWAY,
    }
}
