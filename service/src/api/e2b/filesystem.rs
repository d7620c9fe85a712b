//! E2B's service `filesystem.Filesystem`, with messages in JSON: what is in a folder, and changes of names. Contents of files are read and
//! written with `/files`.

use std::sync::Arc;

use axum::{
    Json,
    extract::{FromRequest as _, Request, State},
    response::{IntoResponse as _, Response},
};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, access::Access, connect, paths::ClientPath};
use crate::{
    api::extract::{JsonBody, Path},
    clock,
    failure::Failure,
    sandboxes::{Entry, FileKind, LiveSandbox},
    shared::Shared,
};

/// A request of any procedure. Each uses some of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    path: Option<String>,
    depth: Option<u32>,
    source: Option<String>,
    destination: Option<String>,
}

/// Answers a call.
pub(super) async fn call(
    State(shared): State<Arc<Shared>>,
    access: Result<Access, Refusal>,
    Path(procedure): Path<String>,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let sandbox = match access {
        Ok(Access(sandbox)) => sandbox,
        Err(Refusal(failure)) if failure.status == StatusCode::NOT_FOUND => {
            return connect::no_sandbox(&headers, &failure);
        }
        Err(Refusal(failure)) => return connect::refused(&headers, &failure),
    };
    let done = async {
        let known = ["Stat", "ListDir", "MakeDir", "Move", "Remove"].contains(&procedure.as_str());
        if !known || connect::is_stream(&headers) {
            let hint = "list the folder again to see what has changed";
            return Err(Refusal::absent(&format!("`{}` of files", procedure.escape_debug()), hint).0);
        }
        if connect::kind(&headers).split(';').next().map(str::trim) != Some("application/json") {
            let message = format!("messages of type `{}` cannot be read", connect::kind(&headers).escape_debug());
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Failure::new(status, "Unavailable", message, "send application/json"));
        }
        let JsonBody { value, .. } = JsonBody::<Asked>::from_request(request, &shared).await?;
        answer(&shared, &sandbox, &procedure, value).await
    };
    match done.await {
        Ok(body) => Json(body).into_response(),
        Err(failure) => connect::refused(&headers, &failure),
    }
}

async fn answer(shared: &Shared, sandbox: &Arc<LiveSandbox>, procedure: &str, asked: Asked) -> Result<Value, Failure> {
    let path = |text: Option<String>| ClientPath::of(&text.unwrap_or_default(), sandbox);
    let room = shared.resources.limits.sandbox_file_bytes;
    let (one, from, to) = (path(asked.path), path(asked.source), path(asked.destination));
    let (inner, files) = (one.inner.clone(), sandbox.files());
    Ok(match procedure {
        "ListDir" => {
            // Zero is what a client sends that has no depth.
            let depth = asked.depth.unwrap_or(0).max(1);
            let found = files.within(move |folder| folder.entries(&inner, depth)).await?;
            json!({ "entries": found.iter().map(|entry| shown(entry, &one)).collect::<Vec<_>>() })
        }
        "MakeDir" => {
            let made = files.within(move |folder| folder.make_directory(&inner, room)).await?;
            json!({ "entry": shown(&made, &one) })
        }
        "Move" => {
            let shown_as = to.clone();
            let moved = files.within(move |folder| folder.rename(&from.inner, &to.inner, room)).await?;
            json!({ "entry": shown(&moved, &shown_as) })
        }
        "Remove" => {
            files.within(move |folder| folder.remove_if_there(&inner)).await?;
            json!({})
        }
        _ => {
            let found = files.within(move |folder| folder.entry(&inner)).await?;
            json!({ "entry": shown(&found, &one) })
        }
    })
}

/// An entry as `filesystem.EntryInfo`, in the JSON of protocol buffers: 64-bit numbers are texts.
fn shown(entry: &Entry, asked: &ClientPath) -> Value {
    let (kind, mark) = match entry.kind {
        FileKind::File => ("FILE_TYPE_FILE", '-'),
        FileKind::Directory => ("FILE_TYPE_DIRECTORY", 'd'),
        FileKind::Other => ("FILE_TYPE_UNSPECIFIED", '?'),
    };
    let mut shown = json!({
        "name": entry.name,
        "type": kind,
        "path": asked.shown(&entry.path),
        "size": entry.size.to_string(),
        "mode": entry.mode,
        "permissions": permissions(mark, entry.mode),
        "owner": "user",
        "group": "user",
        "modifiedTime": clock::text(clock::moment(entry.modified)),
    });
    if entry.is_link {
        shown["isSymlink"] = true.into();
    }
    shown
}

/// Permissions as `ls -l` prints them.
fn permissions(mark: char, mode: u32) -> String {
    let bits = (0..9).rev().map(|bit| if mode >> bit & 1 == 1 { ['x', 'w', 'r'][bit % 3] } else { '-' });
    std::iter::once(mark).chain(bits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_those_of_ls() {
        assert_eq!(permissions('-', 0o644), "-rw-r--r--");
        assert_eq!(permissions('d', 0o750), "drwxr-x---");
    }
}
