//! Sandboxes of E2B's clients.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use axum::{Extension, Json, extract::State};
use http::{HeaderMap, StatusCode, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Refusal, access::ApiKey};
use crate::{
    api::{
        addressed::AddressedAs,
        extract::{JsonBody, Path, Query},
        forward::{gather, is_passed_on},
    },
    clock,
    failure::Failure,
    sandboxes::{LiveSandbox, environment},
    shared::Shared,
    snapshots::{NewSandbox, SavedState},
    spec::{E2bSpec, Environment, SandboxSpec},
    store::rows,
};

/// The templates whose names E2B's clients send. All are the images of this server.
const TEMPLATES: [&str; 4] = ["code-interpreter-v1", "base", "python", "javascript"];

/// The version of the protocol, of which a part is implemented here.
const VERSION: &str = "0.5.7";

/// The time until a sandbox ends, if a client says nothing.
const TIMEOUT: u64 = 300;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Create {
    #[serde(rename = "templateID")]
    template_id: String,
    /// In seconds.
    timeout: Option<u64>,
    /// Whether the sandbox is saved when its time is over, instead of being deleted.
    auto_pause: Option<bool>,
    metadata: BTreeMap<String, String>,
    env_vars: Environment,
    #[serde(rename = "allow_internet_access")]
    allow_internet_access: Option<bool>,
    network: Option<Value>,
    mcp: Option<Value>,
    iam: Option<Value>,
    volume_mounts: Option<Value>,
}

/// A sandbox, as its creator gets it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Created {
    #[serde(rename = "templateID")]
    template_id: String,
    #[serde(rename = "sandboxID")]
    sandbox_id: String,
    #[serde(rename = "clientID")]
    client_id: &'static str,
    /// The sandbox is at `PORT-IDENTIFIER` below it. Clients that get none address E2B.
    domain: String,
    envd_version: &'static str,
    envd_access_token: String,
    traffic_access_token: String,
}

impl Created {
    pub(super) fn of(sandbox: &LiveSandbox, AddressedAs(domain): &AddressedAs) -> Self {
        Self {
            template_id: template(sandbox).into(),
            sandbox_id: sandbox.id.clone(),
            client_id: "isolette",
            domain: domain.clone(),
            envd_version: VERSION,
            envd_access_token: sandbox.access.clone(),
            traffic_access_token: sandbox.access.clone(),
        }
    }
}

fn template(sandbox: &LiveSandbox) -> &str {
    match sandbox.spec.language.as_str() {
        "" => "python",
        language => language,
    }
}

fn detail(sandbox: &LiveSandbox) -> Value {
    let memory = sandbox.spec.policy().ok().and_then(|policy| policy.memory);
    let memory = memory.unwrap_or(isolette::policy::Limits::default().memory);
    json!({
        "templateID": template(sandbox),
        "sandboxID": sandbox.id,
        "clientID": "isolette",
        "startedAt": clock::text(sandbox.created),
        "endAt": clock::text(sandbox.times().expires),
        "envdVersion": VERSION,
        "envdAccessToken": sandbox.access,
        "cpuCount": 1,
        "memoryMB": memory >> 20,
        "diskSizeMB": 0,
        "state": if sandbox.is_paused() { "paused" } else { "running" },
        "metadata": sandbox.metadata,
    })
}

pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Extension(domain): Extension<AddressedAs>,
    JsonBody { value: asked, .. }: JsonBody<Create>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    refuse(&asked)?;
    let state = match asked.template_id.as_str() {
        "" => None,
        name if TEMPLATES.contains(&name) => None,
        id if id.starts_with("snap-") => {
            let row = shared.find_snapshot(&caller.name, id).await?;
            let spec: SandboxSpec = serde_json::from_str(&row.spec).map_err(|_| Failure::not_found("snapshot", id))?;
            Some((spec, SavedState::stored(&row)?))
        }
        name => return Err(Failure::not_found("template", name).into()),
    };
    if !asked.env_vars.is_empty() && state.is_some() {
        let hint = "name them when a program runs, or set them in its code";
        return Err(Refusal::absent("another environment than that of the snapshot", hint));
    }
    let is_new = state.is_none();
    let (mut spec, state) = state.unzip();
    if spec.is_none() && asked.template_id == "javascript" {
        spec = Some(SandboxSpec { language: "javascript".into(), ..SandboxSpec::default() });
    }
    let mut spec = spec.unwrap_or_default();
    if asked.allow_internet_access == Some(false) {
        spec.policy.insert("network".into(), json!("none"));
    }
    if is_new {
        spec.e2b = Some(E2bSpec { environment: asked.env_vars });
    }
    let spec = spec.checked(&caller, &shared.resources.grants)?;
    let timeout = Duration::from_secs(asked.timeout.unwrap_or(TIMEOUT));
    let is_saved = asked.auto_pause.unwrap_or(false);
    let new = NewSandbox {
        owner: Arc::clone(&caller.name),
        name: None,
        spec,
        metadata: asked.metadata,
        is_checkpointed: true,
        ttl: if is_saved { shared.resources.limits.longest_ttl } else { ttl(&shared, timeout)? },
        idle: if is_saved { timeout.min(shared.resources.limits.longest_ttl) } else { shared.resources.limits.idle },
        origin: None,
    };
    let sandbox = shared.create(new, state).await?;
    Ok((StatusCode::CREATED, Json(Created::of(&sandbox, &domain))))
}

/// Refuses options that are not supported here, instead of ignoring them.
fn refuse(asked: &Create) -> Result<(), Refusal> {
    let is_set = |value: &Option<Value>| {
        let empty = |value: &Value| value.is_null() || *value == json!({}) || *value == json!([]);
        value.as_ref().is_some_and(|value| !empty(value))
    };
    environment::check(&asked.env_vars)?;
    for (name, value) in [("network", &asked.network), ("mcp", &asked.mcp), ("iam", &asked.iam)] {
        if is_set(value) {
            return Err(Refusal::absent(&format!("`{name}`"), "the operator of this server sets the policy"));
        }
    }
    match is_set(&asked.volume_mounts) {
        true => Err(Refusal::absent("a volume", "the operator of this server mounts folders")),
        false => Ok(()),
    }
}

fn ttl(shared: &Shared, time: Duration) -> Result<Duration, Refusal> {
    let longest = shared.resources.limits.longest_ttl;
    if time > longest {
        let message = format!("the timeout can be {} s at most", longest.as_secs());
        return Err(Failure::invalid(message, "choose a shorter one").into());
    }
    Ok(time)
}

/// Which sandboxes to list.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Listing {
    state: Option<String>,
    metadata: Option<String>,
}

pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Query(listing): Query<Listing>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Json<Vec<Value>>, Refusal> {
    let wanted: Vec<(String, String)> = listing.metadata.map(|text| form_pairs(&text)).unwrap_or_default();
    let has_metadata = |sandbox: &LiveSandbox| {
        wanted.iter().all(|(key, value)| sandbox.metadata.get(key).is_some_and(|found| found == value))
    };
    let mut sandboxes = shared.sandboxes.list(&caller.name);
    if shared.resources.replicas.is_some() {
        sandboxes.retain(|sandbox| sandbox.holding.is_held());
    }
    let found = sandboxes.iter().filter(|sandbox| has_metadata(sandbox)).map(|sandbox| detail(sandbox));
    let is_wanted = |found: &Value| {
        let states = listing.state.as_deref();
        states.is_none_or(|states| states.split(',').any(|state| found["state"] == state))
    };
    let mut found: Vec<Value> = found.filter(is_wanted).collect();
    if shared.resources.replicas.is_some() && !is_passed_on(&headers) {
        // This path is below that of E2B's routes.
        let path = format!("{}{}", super::PATH, uri.path_and_query().map_or("/sandboxes", |path| path.as_str()));
        found.extend(gather(&shared, &headers, &path, "").await?);
        let known = found.iter().filter_map(|sandbox| sandbox["sandboxID"].as_str().map(str::to_owned)).collect();
        let saved = shared.sandboxes.saved(&shared.resources, &caller.name, &known).await?;
        let saved = saved.iter().filter(|sandbox| has_metadata(sandbox)).map(detail);
        found.extend(saved.filter(is_wanted));
    }
    Ok(Json(found))
}

/// Splits `key=value&key=value`, in which both are encoded as in a query.
fn form_pairs(text: &str) -> Vec<(String, String)> {
    let uri = format!("/?{text}").parse().unwrap_or_default();
    let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&uri);
    pairs.map(|axum::extract::Query(pairs)| pairs).unwrap_or_default()
}

pub(super) async fn inspect(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Extension(AddressedAs(domain)): Extension<AddressedAs>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Refusal> {
    let mut detail = detail(&*shared.sandboxes.look_at(&caller.name, &id)?);
    detail["domain"] = domain.into();
    Ok(Json(detail))
}

pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    shared.sandboxes.delete(&shared.resources, &sandbox).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A time in seconds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Timeout {
    timeout: Option<u64>,
}

pub(super) async fn set_timeout(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Timeout>,
) -> Result<StatusCode, Refusal> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    extend(&shared, &sandbox, asked.timeout.unwrap_or(TIMEOUT)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn extend(shared: &Arc<Shared>, sandbox: &LiveSandbox, seconds: u64) -> Result<(), Refusal> {
    let expires = clock::after(ttl(shared, Duration::from_secs(seconds))?);
    let idle = sandbox.times().idle;
    let (row, idle_ms) = (sandbox.id.clone(), i64::try_from(idle.as_millis()).unwrap_or(i64::MAX));
    let change = move |connection: &rusqlite::Connection| rows::set_expiry(connection, &row, expires, idle_ms);
    shared.resources.store.change(change).await?;
    sandbox.set_times(expires, idle);
    Ok(())
}

pub(super) async fn pause(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    if sandbox.is_paused() {
        return Err(Failure::conflict("the sandbox is paused", "connect to it").into());
    }
    let saved = shared.sandboxes.save(&shared.resources, &sandbox).await;
    if let Some(failure) = saved.failure {
        return Err(failure.into());
    }
    if sandbox.is_running() {
        return Err(Failure::conflict("a program runs in the sandbox", "wait for it, or cancel it").into());
    }
    sandbox.set_paused(true);
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn connect(
    State(shared): State<Arc<Shared>>,
    ApiKey(caller): ApiKey,
    Extension(domain): Extension<AddressedAs>,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<Timeout>,
) -> Result<(StatusCode, Json<Created>), Refusal> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let status = if sandbox.is_paused() { StatusCode::CREATED } else { StatusCode::OK };
    sandbox.set_paused(false);
    let expires = clock::after(Duration::from_secs(asked.timeout.unwrap_or(TIMEOUT)));
    if expires > sandbox.times().expires {
        extend(&shared, &sandbox, asked.timeout.unwrap_or(TIMEOUT)).await?;
    }
    Ok((status, Json(Created::of(&sandbox, &domain))))
}
