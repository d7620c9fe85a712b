//! The part of E2B's interface that has a meaning here, below `/e2b`, so that programs for its code interpreter run on this server
//! with another address: <https://github.com/e2b-dev/E2B>, `spec/openapi.yml`, and the server of `e2b-dev/code-interpreter`.
//! Everything else answers with status 501 and the reason.

mod access;
mod connect;
mod contexts;
mod control;
mod copies;
mod execute;
mod figures;
mod files;
mod filesystem;
mod hosts;
mod paths;
mod text;

use std::sync::Arc;

use axum::{
    Json, Router,
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use http::{HeaderMap, StatusCode, Uri};
use hyper::ext::ReasonPhrase;
use serde_json::json;

pub(super) use self::access::{SandboxClaim, sandbox};
pub(crate) use self::{access::resolve_signed, hosts::resolve};
use crate::{failure::Failure, shared::Shared};

/// The path below which the interface is.
pub(crate) const PATH: &str = "/e2b";

/// Maximum length of the text after a status.
const REASON: usize = 300;

/// A request that failed, in E2B's form.
pub(crate) struct Refusal(Failure);

impl<F: Into<Failure>> From<F> for Refusal {
    fn from(failure: F) -> Self {
        Self(failure.into())
    }
}

impl Refusal {
    fn absent(what: &str, hint: &str) -> Self {
        let message = format!("{what} does not exist in this sandbox");
        Self(Failure::new(StatusCode::NOT_IMPLEMENTED, "Unavailable", message, hint))
    }

    /// Returns the message of a failure with its hint.
    fn message(failure: &Failure) -> String {
        let detail = failure.detail();
        match detail.hint.as_str() {
            "" => detail.message,
            hint => format!("{} ({hint})", detail.message),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = (self.0.status, Self::message(&self.0));
        // With the headers of other responses.
        let mut response = self.0.into_response();
        let body = Json(json!({ "code": status.as_u16(), "message": message })).into_response();
        *response.body_mut() = body.into_body();
        response.headers_mut().remove(http::header::CONTENT_LENGTH);
        // Some clients show nothing else of a response that reports a failure.
        if let Ok(reason) = ReasonPhrase::try_from(reason(&message)) {
            response.extensions_mut().insert(reason);
        }
        response
    }
}

/// A message as the text after the status of a response (RFC 9112, section 4), which is ASCII here.
fn reason(message: &str) -> Vec<u8> {
    let is_plain = |character: char| matches!(character, ' '..='~');
    message.chars().take(REASON).map(|character| if is_plain(character) { character as u8 } else { b'?' }).collect()
}

/// The routes below [`PATH`].
pub(super) fn routes() -> Router<Arc<Shared>> {
    let inner = Router::new()
        .route("/sandboxes", post(control::create).get(control::list))
        .route("/v2/sandboxes", post(control::create).get(control::list))
        .route("/sandboxes/{sandbox}", get(control::inspect).delete(control::delete))
        .route("/sandboxes/{sandbox}/timeout", post(control::set_timeout))
        .route("/sandboxes/{sandbox}/pause", post(control::pause))
        .route("/sandboxes/{sandbox}/connect", post(control::connect))
        .route("/v2/sandboxes/{sandbox}/connect", post(control::connect))
        .route("/sandboxes/{sandbox}/resume", post(control::connect))
        .route("/sandboxes/{sandbox}/fork", post(copies::fork))
        .route("/sandboxes/{sandbox}/snapshots", post(copies::create_snapshot))
        .route("/snapshots", get(copies::list_snapshots))
        .route("/templates/{template}", delete(copies::delete_template))
        .route("/execute", post(execute::execute))
        .route("/contexts", get(contexts::list).post(contexts::create))
        .route("/contexts/{context}", delete(contexts::delete))
        .route("/contexts/{context}/restart", post(contexts::restart))
        .route("/files", get(files::read).post(files::write))
        .route("/health", get(files::health))
        .route("/filesystem.Filesystem/{procedure}", post(filesystem::call))
        .fallback(absent)
        .method_not_allowed_fallback(absent);
    Router::new().nest(PATH, inner)
}

async fn absent(headers: HeaderMap, uri: Uri) -> Response {
    let path: String = uri.path().chars().take(100).collect();
    let hint = "there are no processes, terminals and templates: run code, and use the files of the sandbox";
    let refusal = Refusal::absent(&format!("`{path}`"), hint);
    match path.starts_with("/process.") || path.starts_with("/filesystem.") {
        true => connect::refused(&headers, &refusal.0),
        false => refusal.into_response(),
    }
}
