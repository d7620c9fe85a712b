//! Failures in the form of Connect, the protocol of E2B's clients for files and processes:
//! <https://connectrpc.com/docs/protocol>.

use axum::{
    Json,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, StatusCode, header};
use serde_json::{Value, json};

use super::Refusal;
use crate::failure::Failure;

/// The beginning of the types of requests whose response is a stream.
const STREAM: &str = "application/connect+";

/// The flag of the last message of a stream.
const END: u8 = 2;

/// Whether the response to a request is a stream.
pub(super) fn is_stream(headers: &HeaderMap) -> bool {
    kind(headers).starts_with(STREAM)
}

/// The type of the body of a request.
pub(super) fn kind(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default()
}

/// The response to a call that failed.
pub(super) fn refused(headers: &HeaderMap, failure: &Failure) -> Response {
    respond(headers, failure.status, code(failure.status), Refusal::message(failure))
}

/// The response to a call to a sandbox that does not exist. It is none that says that a file does not exist.
pub(super) fn no_sandbox(headers: &HeaderMap, failure: &Failure) -> Response {
    // Clients look for these words.
    let message = format!("the sandbox was not found: {}", Refusal::message(failure));
    respond(headers, StatusCode::SERVICE_UNAVAILABLE, "unavailable", message)
}

fn respond(headers: &HeaderMap, status: StatusCode, code: &str, message: String) -> Response {
    let error = json!({ "code": code, "message": message });
    if !is_stream(headers) {
        return (status, Json(error)).into_response();
    }
    // A stream has succeeded until its last message says otherwise.
    ([(header::CONTENT_TYPE, kind(headers).to_owned())], last(&json!({ "error": error }))).into_response()
}

/// The last message of a stream.
fn last(message: &Value) -> Vec<u8> {
    let text = message.to_string();
    let mut bytes = vec![END];
    bytes.extend_from_slice(&u32::try_from(text.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn code(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "unauthenticated",
        403 => "permission_denied",
        404 => "not_found",
        409 => "already_exists",
        413 | 429 | 507 => "resource_exhausted",
        415 | 501 => "unimplemented",
        400..=499 => "invalid_argument",
        502 | 503 => "unavailable",
        _ => "internal",
    }
}
