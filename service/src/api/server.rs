//! The server itself: whether it is healthy, its metrics, its OpenAPI document.

use std::sync::{Arc, LazyLock};

use axum::{Extension, Json, extract::State, response::IntoResponse};
use bytes::Bytes;
use http::{Method, StatusCode, Uri, header};
use isolette::Metrics;
use isolette_listener::responses::Uncounted;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    failure::{ErrorBody, Failure},
    shared::Shared,
};

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    /// `ok`, or `stopping` if no further programs are begun.
    status: &'static str,
    /// The version of the server.
    version: &'static str,
    /// Sandboxes, saved ones included.
    sandboxes: usize,
    /// Live guests.
    guests: usize,
    /// Programs that run.
    running: usize,
    /// Programs that wait for their turn.
    waiting: usize,
    /// Bytes of saved contexts, snapshots and paused programs.
    stored_bytes: u64,
}

/// Report the state of the server
#[utoipa::path(get, path = "/v1/health", operation_id = "health", tag = "server", responses((status = OK, body = Health)))]
pub(super) async fn health(State(shared): State<Arc<Shared>>) -> Json<Health> {
    let pool = shared.resources.pool.state();
    Json(Health {
        status: if shared.resources.stopping.is_cancelled() { "stopping" } else { "ok" },
        version: env!("CARGO_PKG_VERSION"),
        sandboxes: shared.sandboxes.count(),
        guests: pool.guests,
        running: shared.resources.queue.running().0,
        waiting: shared.resources.queue.waiting(),
        stored_bytes: shared.resources.store.blobs.bytes(),
    })
}

/// Whether the server is ready.
#[derive(Serialize, ToSchema)]
pub(super) struct Ready {
    status: &'static str,
}

/// The path of [`ready`]. The response has no data of callers, and needs no token.
pub(super) const READY: &str = "/ready";

/// Report whether the server takes requests
///
/// For probes: it needs no token. A server that is being stopped does not, nor one that has lost the store that it shares with
/// others.
#[utoipa::path(
    get,
    path = "/ready",
    operation_id = "ready",
    tag = "server",
    security(()),
    responses((status = OK, body = Ready), (status = SERVICE_UNAVAILABLE, body = ErrorBody))
)]
pub(super) async fn ready(State(shared): State<Arc<Shared>>) -> Result<Json<Ready>, Failure> {
    if shared.resources.stopping.is_cancelled() {
        return Err(Failure::stopping());
    }
    match &shared.resources.replicas {
        Some(replicas) if !replicas.is_current() => Err(Failure::no_shared_store()),
        _ => Ok(Json(Ready { status: "ok" })),
    }
}

/// Return the metrics of the server, for Prometheus
#[utoipa::path(
    get,
    path = "/metrics",
    operation_id = "metrics",
    tag = "server",
    responses((status = OK, body = String, content_type = "text/plain"))
)]
pub(super) async fn metrics(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, Metrics::CONTENT_TYPE)], shared.resources.metrics.text())
}

/// Return this document
#[utoipa::path(get, path = "/openapi.json", operation_id = "openapi", tag = "server", responses((status = OK, body = Object)))]
pub(super) async fn openapi_document() -> impl IntoResponse {
    // All responses share the bytes.
    static DOCUMENT: LazyLock<Bytes> =
        LazyLock::new(|| serde_json::to_vec(&super::openapi()).unwrap_or_default().into());
    ([(header::CONTENT_TYPE, "application/json")], Extension(Uncounted), DOCUMENT.clone())
}

pub(super) async fn no_route(uri: Uri) -> Failure {
    Failure::not_found("path", uri.path())
}

pub(super) async fn no_method(method: Method, uri: Uri) -> Failure {
    let path: String = uri.path().chars().take(100).collect();
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "NotAllowed",
        format!("`{}` cannot be used with {}", path.escape_debug(), method.as_str().escape_debug()),
        "`GET /openapi.json` lists the methods of each path",
    )
}
