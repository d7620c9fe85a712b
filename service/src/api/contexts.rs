//! The contexts of a sandbox.

use std::sync::Arc;

use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{JsonBody, Path};
use crate::{
    caller::Caller,
    failure::{ErrorBody, Failure},
    sandboxes,
    shared::Shared,
    spec::parse_language,
    store::rows::{self, ContextRow},
};

/// A context: names, imports and `/tmp` that programs leave for the next one.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Context {
    /// `default` for programs that name none.
    name: String,
    language: String,
    /// Whether its guest runs. If not, it is started with the next program, in the saved state.
    is_live: bool,
}

/// A context to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CreateContext {
    name: String,
    /// Default: the language of the sandbox.
    #[serde(default)]
    language: Option<String>,
}

/// The contexts of a sandbox.
#[derive(Serialize, ToSchema)]
pub(super) struct ContextList {
    contexts: Vec<Context>,
}

impl Context {
    pub(super) fn of(context: &sandboxes::Context) -> Self {
        Self { name: context.name.clone(), language: context.language.name().into(), is_live: context.is_live() }
    }
}

/// Create a context
///
/// A program that names a context that does not exist creates it, too.
#[utoipa::path(
    post,
    path = "/v1/sandboxes/{sandbox}/contexts",
    operation_id = "create_context",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    request_body = CreateContext,
    responses((status = CREATED, body = Context), (status = "4XX", body = ErrorBody))
)]
pub(super) async fn create(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
    JsonBody { value: asked, .. }: JsonBody<CreateContext>,
) -> Result<(StatusCode, Json<Context>), Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    let language = match &asked.language {
        Some(language) => parse_language(language)?,
        None => sandbox.spec.language()?,
    };
    let (context, is_new) = sandbox.context_or_new(&asked.name, language, &shared.resources)?;
    if !is_new {
        return Err(Failure::conflict(
            format!("there is a context with the name `{}`", context.name),
            "choose another name, or use that context",
        ));
    }
    store(&shared, &sandbox, &context).await?;
    Ok((StatusCode::CREATED, Json(Context::of(&context))))
}

/// Stores a new context.
pub(super) async fn store(
    shared: &Arc<Shared>,
    sandbox: &sandboxes::LiveSandbox,
    context: &sandboxes::Context,
) -> Result<(), Failure> {
    let row = ContextRow {
        sandbox: sandbox.id.clone(),
        name: context.name.clone(),
        language: context.language.name().into(),
        cwd: context.cwd.clone(),
        blob: None,
    };
    let stored = shared.resources.store.change(move |connection| rows::add_context(connection, &row)).await;
    if let Err(error) = stored {
        sandbox.remove_context(&context.name);
        return Err(error.into());
    }
    Ok(())
}

/// List the contexts of a sandbox
#[utoipa::path(
    get,
    path = "/v1/sandboxes/{sandbox}/contexts",
    operation_id = "list_contexts",
    tag = "sandboxes",
    params(("sandbox" = String, Path, description = "The identifier or the name of the sandbox")),
    responses((status = OK, body = ContextList), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ContextList>, Failure> {
    let sandbox = shared.sandboxes.look_at(&caller.name, &id)?;
    let contexts = sandbox.all_contexts().iter().map(|context| Context::of(context)).collect();
    Ok(Json(ContextList { contexts }))
}

/// Delete a context
///
/// Programs that run in it are cancelled.
#[utoipa::path(
    delete,
    path = "/v1/sandboxes/{sandbox}/contexts/{context}",
    operation_id = "delete_context",
    tag = "sandboxes",
    params(
        ("sandbox" = String, Path, description = "The identifier or the name of the sandbox"),
        ("context" = String, Path, description = "The name of the context")
    ),
    responses((status = NO_CONTENT), (status = NOT_FOUND, body = ErrorBody))
)]
pub(super) async fn delete(
    State(shared): State<Arc<Shared>>,
    caller: Caller,
    Path((id, name)): Path<(String, String)>,
) -> Result<StatusCode, Failure> {
    let sandbox = shared.sandboxes.find(&caller.name, &id)?;
    remove(&shared, &sandbox, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes a context, and cancels what runs in it.
pub(super) async fn remove(shared: &Arc<Shared>, sandbox: &sandboxes::LiveSandbox, name: &str) -> Result<(), Failure> {
    let context = sandbox.remove_context(name).ok_or_else(|| Failure::not_found("context", name))?;
    context.begin_deletion();
    for run in shared.resources.runs.in_sandbox(&sandbox.id) {
        if run.context.as_deref() == Some(name) {
            run.cancel.cancel();
        }
    }
    context.delete().await;
    let (row, name) = (sandbox.id.clone(), name.to_owned());
    let unused = shared.resources.store.change(move |connection| rows::delete_context(connection, &row, &name)).await?;
    shared.resources.store.remove_blobs(unused.into_iter().collect()).await;
    Ok(())
}
