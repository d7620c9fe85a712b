//! Contexts of E2B's clients.

use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, access::Access, paths::ClientPath};
use crate::{
    HOME, WORKSPACE,
    api::{
        contexts,
        extract::{JsonBody, Path},
    },
    failure::Failure,
    id,
    sandboxes::{Context, LiveSandbox},
    shared::Shared,
    spec::parse_language,
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Create {
    language: Option<String>,
    cwd: Option<String>,
}

fn shown(context: &Context) -> Value {
    json!({ "id": context.name, "language": context.language.name(), "cwd": context.cwd })
}

pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    JsonBody { value: asked, .. }: JsonBody<Create>,
) -> Result<Json<Value>, Refusal> {
    let cwd = directory(&sandbox, asked.cwd.as_deref().unwrap_or(WORKSPACE)).await?;
    let language = match &asked.language {
        Some(language) => parse_language(language)?,
        None => sandbox.spec.language()?,
    };
    let (context, _) = sandbox.context_or_new_in(&cwd, &id::random("ctx"), language, &shared.resources)?;
    contexts::store(&shared, &sandbox, &context).await?;
    Ok(Json(shown(&context)))
}

/// A directory of the sandbox, as programs name it. Relative ones are in `/workspace`.
async fn directory(sandbox: &Arc<LiveSandbox>, path: &str) -> Result<String, Refusal> {
    let asked = ClientPath::of(path, sandbox);
    let inner = asked.inner.clone();
    let found = sandbox.files().within(move |folder| folder.directory(&inner)).await;
    // The home is a path of its own in sandboxes that have one.
    let is_shown = path.starts_with('/') && sandbox.spec.e2b.is_some();
    found.map(|found| if is_shown { asked.shown(&found) } else { found }).map_err(|_| {
        let hint = format!("contexts begin in {WORKSPACE} ({HOME}), or in a directory that exists in it or in /output");
        let shown: String = path.chars().take(200).collect();
        Refusal::absent(&format!("the working directory `{}`", shown.escape_debug()), &hint)
    })
}

pub(super) async fn list(Access(sandbox): Access) -> Json<Vec<Value>> {
    Json(sandbox.all_contexts().iter().map(|context| shown(context)).collect())
}

pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    contexts::remove(&shared, &sandbox, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a context and makes another one with its name.
pub(super) async fn restart(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    let before = sandbox.context(&name).ok_or_else(|| Failure::not_found("context", &name))?;
    contexts::remove(&shared, &sandbox, &name).await?;
    let (context, _) = sandbox.context_or_new_in(&before.cwd, &name, before.language, &shared.resources)?;
    contexts::store(&shared, &sandbox, &context).await?;
    Ok(StatusCode::OK)
}
