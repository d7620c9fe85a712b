//! Creating a sandbox: what is asked for, and whether it can be had.

use std::{collections::BTreeMap, sync::Arc};

use axum::{Json, extract::State};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{InspectedSandbox, at_most, inspected};
use crate::{
    api::{extract::JsonBody, times::Span},
    caller::Caller,
    failure::{ErrorBody, Failure},
    id::is_name,
    shared::Shared,
    snapshots::{NewSandbox, SavedState},
    spec::{SandboxSpec, ToolSpec},
};

/// Maximum number of entries of `metadata`, and of characters of each key and value.
const METADATA: (usize, usize) = (32, 256);

/// A sandbox to make. Everything has a default.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(in crate::api) struct CreateSandbox {
    /// A name by which the sandbox can be found instead of its identifier. It is unique among those of the caller.
    name: Option<String>,
    /// The language of programs that do not name one: `python` (the default), `javascript` or `typescript`.
    language: Option<String>,
    /// The policy, with the keys of a policy file. By default everything is denied. Callers with a token can set `profile`,
    /// `network` (to `none`), `timeout`, `memory`, `variables`, `tool_calls` and `dialect`.
    policy: Map<String, Value>,
    /// Tools that the caller answers: a program that calls one waits for the answer.
    tools: Vec<ToolSpec>,
    /// Whether the caller approves calls that need approval; else they are denied.
    approves: bool,
    /// Whether a program is paused while its calls wait for the caller: they can be answered days later, after the server was ended as
    /// well, and the time of the program does not pass. If not, its guest waits, within the time of the program. Default: false.
    pauses: bool,
    /// Texts of the caller, such as the name of a conversation. They are returned, and have no other effect.
    metadata: BTreeMap<String, String>,
    /// How long the sandbox exists. Default: 1 day.
    ttl: Option<Span>,
    /// How long it may be unused before its contexts are saved and its guests end. Default: 5 minutes.
    idle: Option<Span>,
    /// Whether contexts are saved after each program, before its end is reported, so that nothing is lost if the server is
    /// killed. If not, they are saved when the sandbox is idle, is paused, or the server is stopped. Default: true.
    checkpoint: Option<bool>,
    /// The snapshot that the sandbox begins with. Its language, policy and tools are those of the snapshot, unless they are given.
    snapshot: Option<String>,
}

/// Create a sandbox
#[utoipa::path(
    post,
    path = "/v1/sandboxes",
    operation_id = "create_sandbox",
    tag = "sandboxes",
    request_body = CreateSandbox,
    responses((status = CREATED, body = InspectedSandbox), (status = "4XX", body = ErrorBody))
)]
pub(in crate::api) async fn create(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    JsonBody { value: asked, .. }: JsonBody<CreateSandbox>,
) -> Result<(StatusCode, Json<InspectedSandbox>), Failure> {
    if shared.resources.stopping.is_cancelled() {
        return Err(Failure::stopping());
    }
    check_texts(&asked)?;
    let (base, state) = match &asked.snapshot {
        None => (SandboxSpec::default(), None),
        Some(id) => {
            let row = shared.find_snapshot(&caller.name, id).await?;
            let damaged = |_| Failure::not_found("snapshot", id);
            (serde_json::from_str(&row.spec).map_err(damaged)?, Some(SavedState::stored(&row)?))
        }
    };
    let spec = SandboxSpec {
        language: asked.language.unwrap_or(base.language),
        policy: if asked.policy.is_empty() { base.policy } else { asked.policy },
        tools: if asked.tools.is_empty() { base.tools } else { asked.tools },
        approves: asked.approves || base.approves,
        pauses: asked.pauses || base.pauses,
        e2b: base.e2b,
        is_user: caller.is_user,
    };
    let spec = spec.checked(&caller, &shared.resources.grants)?;
    if spec.pauses && shared.resources.replicas.is_some() {
        return Err(cannot_pause(
            "where servers share a store",
            "leave `pauses` out, or run such programs with `POST /v1/runs`",
        ));
    }
    let limits = &shared.resources.limits;
    let new = NewSandbox {
        owner: Arc::clone(&caller.name),
        name: asked.name,
        metadata: asked.metadata,
        is_checkpointed: asked.checkpoint.unwrap_or(true),
        ttl: at_most("ttl", asked.ttl.map_or(limits.ttl.min(limits.longest_ttl), |span| span.0), limits.longest_ttl)?,
        idle: at_most(
            "idle",
            asked.idle.map_or(limits.idle.min(limits.longest_ttl), |span| span.0),
            limits.longest_ttl,
        )?,
        origin: asked.snapshot,
        spec,
    };
    let sandbox = shared.create(new, state).await?;
    // A policy that cannot be applied is reported now to the caller, and not by the first program.
    let inspected = inspected(&shared, &sandbox).await.and_then(|inspected| {
        let saves_states = inspected.effective.isolation.engine.saves_states();
        match sandbox.spec.pauses && !saves_states {
            true => Err(cannot_pause("with isolation `wasm`", "choose isolation `process` or `microvm`")),
            false => Ok(inspected),
        }
    });
    match inspected {
        Ok(inspected) => Ok((StatusCode::CREATED, Json(inspected))),
        Err(failure) => {
            shared.sandboxes.delete(&shared.resources, &sandbox).await?;
            Err(failure)
        }
    }
}

fn cannot_pause(place: &str, hint: &str) -> Failure {
    let message = format!("programs in contexts cannot be paused {place}");
    Failure::new(StatusCode::NOT_IMPLEMENTED, "Unavailable", message, hint)
}

fn check_texts(asked: &CreateSandbox) -> Result<(), Failure> {
    if let Some(name) = asked.name.as_deref().filter(|name| !is_name(name)) {
        return Err(Failure::invalid(
            format!("`{}` cannot be a name", name.chars().take(80).collect::<String>().escape_debug()),
            "use up to 64 letters, digits, `-`, `_` and `.`, and begin with a letter or digit",
        ));
    }
    let is_short = |text: &String| text.chars().count() <= METADATA.1;
    if asked.metadata.len() > METADATA.0 || !asked.metadata.iter().all(|(key, value)| is_short(key) && is_short(value))
    {
        return Err(Failure::invalid(
            "`metadata` is too long",
            format!("use up to {} entries of up to {} characters", METADATA.0, METADATA.1),
        ));
    }
    Ok(())
}
