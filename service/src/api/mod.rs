//! The HTTP interface: routes, their types, and the OpenAPI document that describes them.

pub(crate) mod addressed;
mod begin;
mod contexts;
pub(crate) mod e2b;
mod events;
mod extract;
mod files;
pub(crate) mod forward;
mod idempotency;
mod inspector;
mod logs;
mod reply;
mod routing;
mod run;
mod runs;
mod sandboxes;
mod server;
mod snapshots;
mod states;
mod times;
mod uninterrupted;

use std::sync::Arc;

use axum::{Router, extract::DefaultBodyLimit, middleware, routing::get};
use utoipa::{
    OpenApi as _,
    openapi::{
        OpenApi,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::shared::Shared;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Isolette",
        description = "Sandboxes for programs that language models write. A sandbox has a policy, code contexts that keep \
            their state, and files; it is saved when it is not used, and continues when it is used again. Errors have the body \
            of `ErrorBody`. With status 429 and 503, `Retry-After` says when to try again. A \
            response for which there is no memory has status 503, and one that takes too much alone has status 413. A POST request with the header \
            `Idempotency-Key` is done once: the response is kept for a day, and repeated."
    ),
    tags(
        (name = "sandboxes", description = "Sandboxes and their contexts"),
        (name = "runs", description = "Programs"),
        (name = "files", description = "Files in `/workspace` and `/output`"),
        (name = "snapshots", description = "Saved states of sandboxes"),
        (name = "server", description = "The server itself"),
    ),
    components(schemas(crate::failure::ErrorBody))
)]
struct Document;

fn routes() -> OpenApiRouter<Arc<Shared>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(sandboxes::create::create, sandboxes::list))
        .routes(routes!(sandboxes::inspect, sandboxes::extend, sandboxes::delete))
        .routes(routes!(states::pause))
        .routes(routes!(states::resume))
        .routes(routes!(states::fork))
        .routes(routes!(states::restore))
        .routes(routes!(contexts::create, contexts::list))
        .routes(routes!(contexts::delete))
        .routes(routes!(begin::run_in_sandbox))
        .routes(routes!(begin::run, runs::list))
        .routes(routes!(runs::inspect))
        .routes(routes!(runs::cancel))
        .routes(routes!(runs::answer))
        .routes(routes!(logs::logs))
        .routes(routes!(events::of_run))
        .routes(routes!(inspector::document))
        .routes(routes!(inspector::trace))
        .routes(routes!(files::list))
        .routes(routes!(files::read, files::write, files::delete))
        .routes(routes!(snapshots::create))
        .routes(routes!(snapshots::list))
        .routes(routes!(snapshots::inspect, snapshots::delete))
        .routes(routes!(server::ready))
        .routes(routes!(server::health))
        .routes(routes!(server::metrics))
        .routes(routes!(server::openapi_document))
}

/// The OpenAPI document of the service.
#[must_use]
pub fn openapi() -> OpenApi {
    let (_, mut document) = routes().split_for_parts();
    let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document.components.get_or_insert_default().add_security_scheme("token", scheme);
    document.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
    document
}

/// Whether a request is answered without a token.
pub(crate) fn is_public<B>(request: &http::Request<B>) -> bool {
    request.method() == http::Method::GET && [server::READY, inspector::PAGE].contains(&request.uri().path())
}

/// The routes with their handlers.
pub(crate) fn router(shared: &Arc<Shared>) -> Router {
    let (router, _) = routes().split_for_parts();
    router
        .merge(e2b::routes())
        .route(inspector::PAGE, get(inspector::page))
        .fallback(server::no_route)
        .method_not_allowed_fallback(server::no_method)
        .layer(middleware::from_fn_with_state(Arc::clone(shared), idempotency::once))
        .layer(middleware::from_fn_with_state(Arc::clone(shared), routing::route))
        // Bodies are read with limits of their own.
        .layer(DefaultBodyLimit::disable())
        .with_state(Arc::clone(shared))
}
