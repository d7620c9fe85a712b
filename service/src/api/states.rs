//! The states of sandboxes: pause and resume, fork and restore.

use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    extract::{JsonBody, Path},
    sandboxes::{Sandbox, SandboxList},
};
use crate::{
    caller::Caller,
    failure::{ErrorBody, Failure},
    shared::Shared,
    snapshots::SavedState,
};

/// Maximum number of forks that one request makes.
const FORKS: usize = 100;

/// How many forks to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Fork {
    /// From 1 to 100.
    count: usize,
}

impl Default for Fork {
    fn default() -> Self {
        Self { count: 1 }
    }
}

/// The snapshot to return to.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {
    snapshot: String,
}

/// Save a sandbox and end its guests, where no program runs
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/pause",
    operation_id = "pause_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    responses(
        (status = OK, body = Sandbox),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
)]
pub(super) async fn pause(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Sandbox>, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let made = shared.resources.sandbox(sandbox.key(sandbox.spec.language()?)).await?;
    if sandbox.is_running() && !crate::grants::saves_states(&made) {
        return Err(Failure::new(
            StatusCode::NOT_IMPLEMENTED,
            "Unavailable",
            "contexts with isolation `wasm` cannot be saved",
            "choose isolation `process` or `microvm`",
        ));
    }
    let saved = shared.sandboxes.save(&shared.resources, &sandbox).await;
    if let Some(failure) = saved.failure {
        return Err(failure);
    }
    if sandbox.is_running() {
        return Err(Failure::conflict("a program runs in the sandbox", "wait for it, or cancel it"));
    }
    // The server that the next request reaches can then take it over at once.
    if sandbox.holding.is_held() {
        sandbox.let_go(&shared.resources).await?;
    }
    Ok(Json(Sandbox::of(&sandbox)))
}

/// Start the guests of a sandbox that is paused
///
/// The next program does this, too; it begins sooner if it was done before.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/resume",
    operation_id = "resume_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    responses((status = OK, body = Sandbox), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn resume(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Sandbox>, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    for context in sandbox.all_contexts() {
        // A program that runs in it has started its guest.
        if let Some(guard) = context.try_lock() {
            guard.load(&shared.sandboxes, &shared.resources, &sandbox).await?;
        }
    }
    Ok(Json(Sandbox::of(&sandbox)))
}

/// Make sandboxes that continue from the present state of another one
///
/// All have its contexts and files, and none affects another.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/fork",
    operation_id = "fork_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = Fork,
    responses(
        (status = CREATED, body = SandboxList),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
)]
pub(super) async fn fork(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Fork>,
) -> Result<(StatusCode, Json<SandboxList>), Failure> {
    if !(1..=FORKS).contains(&asked.count) {
        return Err(Failure::invalid(format!("`count` is {}", asked.count), format!("choose from 1 to {FORKS}")));
    }
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let forks = shared.fork(&sandbox, asked.count).await?;
    let sandboxes = forks.iter().map(|fork| Sandbox::of(fork)).collect();
    Ok((StatusCode::CREATED, Json(SandboxList { sandboxes })))
}

/// Return a sandbox to the state of a snapshot
///
/// Its contexts and files are those of the snapshot afterwards. Its policy stays.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/restore",
    operation_id = "restore_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = Restore,
    responses(
        (status = OK, body = Sandbox),
        (status = "4XX", body = ErrorBody),
        (status = INSUFFICIENT_STORAGE, body = ErrorBody, description = "There is no room to store it")
    )
)]
pub(super) async fn restore(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Restore>,
) -> Result<Json<Sandbox>, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let row = shared.find_snapshot(&caller.name, &asked.snapshot).await?;
    shared.restore(&sandbox, SavedState::stored(&row)?).await?;
    Ok(Json(Sandbox::of(&sandbox)))
}
