//! Contexts of E2B's clients.

use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Refusal, access::Access};
use crate::{
    api::{
        contexts,
        extract::{JsonBody, Path},
    },
    failure::Failure,
    id,
    sandboxes::Context,
    shared::Shared,
    spec::{WORKSPACE, parse_language},
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Create {
    language: Option<String>,
    cwd: Option<String>,
}

fn shown(context: &Context) -> Value {
    json!({ "id": context.name, "language": context.language.name(), "cwd": WORKSPACE })
}

pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    Access(sandbox): Access,
    JsonBody { value: asked, .. }: JsonBody<Create>,
) -> Result<Json<Value>, Refusal> {
    if asked.cwd.as_deref().is_some_and(|cwd| cwd != WORKSPACE) {
        let hint = format!("contexts begin in {WORKSPACE}; change the working directory in the code");
        return Err(Refusal::absent("another working directory", &hint));
    }
    let language = match &asked.language {
        Some(language) => parse_language(language)?,
        None => sandbox.spec.language()?,
    };
    let (context, _) = sandbox.context_or_new(&id::random("ctx"), language, &shared.resources.limits)?;
    contexts::store(&shared, &sandbox, &context).await?;
    Ok(Json(shown(&context)))
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
    let language = sandbox.context(&name).ok_or_else(|| Failure::not_found("context", &name))?.language;
    contexts::remove(&shared, &sandbox, &name).await?;
    let (context, _) = sandbox.context_or_new(&name, language, &shared.resources.limits)?;
    contexts::store(&shared, &sandbox, &context).await?;
    Ok(StatusCode::OK)
}
