//! Sandboxes: create, list, inspect, extend, delete.

pub(super) mod create;

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::Duration,
};

use axum::{Json, extract::State};
use http::{HeaderMap, StatusCode};
use isolette::policy::Limits;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{
    extract::{JsonBody, Path},
    forward,
    times::Span,
};
use crate::{
    caller::Caller,
    clock,
    failure::{ErrorBody, Failure},
    sandboxes::LiveSandbox,
    shared::Shared,
    store::rows,
};

/// A sandbox.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Sandbox {
    /// Grants access to the sandbox, together with the token of its caller.
    id: String,
    name: Option<String>,
    language: String,
    state: SandboxState,
    metadata: BTreeMap<String, String>,
    contexts: Vec<super::contexts::Context>,
    /// In UTC.
    created_at: String,
    /// When it is deleted, in UTC.
    expires_at: String,
    /// The sandbox or the snapshot that it continues from.
    origin: Option<String>,
    idle: Span,
    checkpoint: bool,
    /// Whether its programs are paused while their calls wait for the caller.
    pauses: bool,
}

/// Whether guests of a sandbox run.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum SandboxState {
    /// A guest of it runs.
    Running,
    /// It is saved, and continues with the next program.
    Paused,
}

/// A sandbox with its effective policy.
#[derive(Serialize, ToSchema)]
pub(super) struct InspectedSandbox {
    #[serde(flatten)]
    sandbox: Sandbox,
    /// Engine, image and policy, as `isolette run --explain --json` prints them.
    #[schema(value_type = Object)]
    effective: isolette::Explanation,
    /// The same for people.
    explanation: String,
}

/// All sandboxes of the caller.
#[derive(Serialize, ToSchema)]
pub(super) struct SandboxList {
    pub(super) sandboxes: Vec<Sandbox>,
}

/// Times to change.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct ExtendSandbox {
    /// How long the sandbox exists from now on.
    ttl: Option<Span>,
    /// How long it may be unused before it is saved.
    idle: Option<Span>,
}

impl Sandbox {
    pub(super) fn of(sandbox: &LiveSandbox) -> Self {
        let times = sandbox.times();
        Self {
            id: sandbox.id.clone(),
            name: sandbox.name.clone(),
            language: match sandbox.spec.language.as_str() {
                "" => "python".into(),
                language => language.into(),
            },
            state: if sandbox.is_running() { SandboxState::Running } else { SandboxState::Paused },
            metadata: sandbox.metadata.clone(),
            contexts: sandbox.all_contexts().iter().map(|context| super::contexts::Context::of(context)).collect(),
            created_at: clock::text(sandbox.created),
            expires_at: clock::text(times.expires),
            origin: sandbox.origin.clone(),
            idle: Span(times.idle),
            checkpoint: sandbox.is_checkpointed,
            pauses: sandbox.spec.pauses,
        }
    }
}

fn at_most(field: &str, asked: Duration, longest: Duration) -> Result<Duration, Failure> {
    match asked {
        asked if asked <= longest => Ok(asked),
        Limits::UNLIMITED_TIME => Ok(longest),
        _ => Err(Failure::invalid(
            format!("`{field}` can be {} at most", humantime::format_duration(longest)),
            "choose a shorter time, and extend it later",
        )),
    }
}

async fn inspected(shared: &Arc<Shared>, sandbox: &LiveSandbox) -> Result<InspectedSandbox, Failure> {
    let made = shared.resources.sandbox(sandbox.key(sandbox.spec.language()?)).await?;
    let effective = made.explain();
    Ok(InspectedSandbox { sandbox: Sandbox::of(sandbox), explanation: effective.to_string(), effective })
}

/// List the sandboxes of the caller
#[utoipa::path(
    get,
    path = "/v1/sandboxes",
    operation_id = "list_sandboxes",
    tag = "sandboxes",
    responses((status = OK, body = SandboxList))
)]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<Value>, Failure> {
    let mut own = shared.sandboxes.list(&caller.name);
    if shared.resources.replicas.is_some() {
        own.retain(|sandbox| sandbox.holding.is_held());
    }
    let sandboxes = own.iter().map(|sandbox| json!(Sandbox::of(sandbox))).collect();
    let mut sandboxes: Vec<Value> = sandboxes;
    if !forward::is_passed_on(&headers) {
        sandboxes.extend(forward::gather(&shared, &headers, "/v1/sandboxes", "sandboxes").await?);
        let known: HashSet<_> =
            sandboxes.iter().filter_map(|sandbox| sandbox["id"].as_str().map(str::to_owned)).collect();
        let others = shared.sandboxes.saved(&shared.resources, &caller.name, &known).await?;
        sandboxes.extend(others.iter().map(|sandbox| json!(Sandbox::of(sandbox))));
        let place = |sandbox: &Value| format!("{} {}", sandbox["created_at"], sandbox["id"]);
        sandboxes.sort_by_cached_key(place);
        sandboxes.dedup_by(|one, other| one["id"] == other["id"]);
    }
    Ok(Json(json!({ "sandboxes": sandboxes })))
}

/// Return a sandbox with its effective policy
#[utoipa::path(
    get,
    path = "/v1/sandboxes/{sandbox}",
    operation_id = "inspect_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    responses((status = OK, body = InspectedSandbox), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn inspect(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<InspectedSandbox>, Failure> {
    let sandbox = shared.sandboxes.look_at(&caller.name, &id)?;
    inspected(&shared, &sandbox).await.map(Json)
}

/// Change how long a sandbox exists
#[utoipa::path(
    patch,
    path = "/v1/sandboxes/{sandbox}",
    operation_id = "extend_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = ExtendSandbox,
    responses((status = OK, body = Sandbox), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn extend(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<ExtendSandbox>,
) -> Result<Json<Sandbox>, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let (times, longest) = (sandbox.times(), shared.resources.limits.longest_ttl);
    let expires = match asked.ttl {
        Some(span) => clock::after(at_most("ttl", span.0, longest)?),
        None => times.expires,
    };
    let idle = asked.idle.map_or(Ok(times.idle), |span| at_most("idle", span.0, longest))?;
    let (row, idle_ms) = (sandbox.id.clone(), i64::try_from(idle.as_millis()).unwrap_or(i64::MAX));
    shared.resources.store.change(move |connection| rows::set_expiry(connection, &row, expires, idle_ms)).await?;
    sandbox.set_times(expires, idle);
    Ok(Json(Sandbox::of(&sandbox)))
}

/// Delete a sandbox with its contexts and files
///
/// Its runs are cancelled. Snapshots of it remain.
#[utoipa::path(
    delete,
    path = "/v1/sandboxes/{sandbox}",
    operation_id = "delete_sandbox",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    shared.sandboxes.delete(&shared.resources, &sandbox).await?;
    Ok(StatusCode::NO_CONTENT)
}
