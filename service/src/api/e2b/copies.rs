//! Forks and snapshots of sandboxes of E2B's clients.

use std::sync::Arc;

use axum::{Extension, Json, extract::State};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Refusal,
    access::ApiKey,
    control::{Created, extend},
};
use crate::{
    api::addressed::AddressedAs,
    api::extract::{JsonBody, Path},
    failure::Failure,
    shared::Shared,
    store::rows::SnapshotRow,
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fork {
    timeout: Option<u64>,
    count: Option<usize>,
}

pub(super) async fn fork(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Extension(domain): Extension<AddressedAs>,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Fork>,
) -> Result<(StatusCode, Json<Vec<Value>>), Refusal> {
    let count = asked.count.unwrap_or(1);
    if !(1..=100).contains(&count) {
        return Err(Failure::invalid(format!("`count` is {count}"), "choose from 1 to 100").into());
    }
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let forks = shared.fork(&sandbox, count).await?;
    for fork in &forks {
        if let Some(timeout) = asked.timeout {
            extend(&shared, fork, timeout).await?;
            fork.publish(&shared.resources).await?;
        }
    }
    let forks = forks.iter().map(|fork| json!({ "sandbox": Created::of(fork, &domain) })).collect();
    Ok((StatusCode::CREATED, Json(forks)))
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CreateSnapshot {
    name: Option<String>,
}

pub(super) async fn create_snapshot(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<CreateSnapshot>,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let row = shared.take_snapshot(&sandbox, asked.name.unwrap_or_default()).await?;
    Ok((StatusCode::CREATED, Json(snapshot(&row.id, &row.note))))
}

fn snapshot(id: &str, note: &str) -> Value {
    let names: &[&str] = if note.is_empty() { &[] } else { &[note] };
    json!({ "snapshotID": id, "names": names })
}

pub(super) async fn list_snapshots(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
) -> Result<Json<Vec<Value>>, Refusal> {
    let of = |row: SnapshotRow| snapshot(&row.id, &row.note);
    Ok(Json(shared.list_snapshots(&caller.name, None, of).await?))
}

/// Deletes a snapshot, which is a template for E2B's clients.
pub(super) async fn delete_template(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    shared.delete_snapshot(&caller.name, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
