//! A directory of breweries on the loopback interface: the API of the main example and its tests.
//!
//! It returns the same response for the same request. Errors occur on request: see [`Variant`].

mod data;

use axum::{
    Json, Router,
    extract::{Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::server::Server;

/// The difference from the plain API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Nothing.
    Plain,
    /// Ten breweries are listed twice.
    Duplicates,
    /// The breweries of two cities have no position: some with a null, some without the field.
    MissingCities,
    /// Nothing is below the prefix.
    NotFound,
    /// The second page fails.
    BrokenSecondPage,
    /// A random brewery comes bare instead of in an array.
    BareRandom,
}

/// The running API.
#[derive(Debug)]
pub struct Brewery {
    server: Server,
}

impl Brewery {
    /// Starts it.
    #[must_use]
    pub fn start(variant: Variant) -> Self {
        let api = Router::new()
            .route("/breweries", get(list))
            .route("/breweries/search", get(search))
            .route("/breweries/random", get(random))
            .with_state(variant);
        let prefix = if variant == Variant::NotFound { "/elsewhere" } else { "/v1" };
        let document = Router::new().route("/openapi.yaml", get(async || include_str!("openapi.yaml")));
        Self { server: Server::start(document.nest(prefix, api)) }
    }

    /// The URL of its description.
    #[must_use]
    pub fn openapi_url(&self) -> String {
        format!("{}/openapi.yaml", self.server.origin())
    }

    /// The value of `BASE_URL` for programs.
    #[must_use]
    pub fn base_url(&self) -> String {
        format!("{}/v1", self.server.origin())
    }

    /// The requests so far, as `GET /v1/breweries?page=1`.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        self.server.requests()
    }
}

#[derive(Deserialize)]
struct Parameters {
    by_city: Option<String>,
    query: Option<String>,
    #[serde(default = "first")]
    page: usize,
    #[serde(default = "usual")]
    per_page: usize,
}

fn first() -> usize {
    1
}

fn usual() -> usize {
    50
}

async fn list(State(variant): State<Variant>, Query(parameters): Query<Parameters>) -> Response {
    if variant == Variant::BrokenSecondPage && parameters.page == 2 {
        return (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({"message": "the second page is lost"})))
            .into_response();
    }
    let san_diego =
        parameters.by_city.as_deref().is_none_or(|city| city.replace('_', " ").eq_ignore_ascii_case("San Diego"));
    page(if san_diego { data::san_diego(variant) } else { Vec::new() }, &parameters)
}

async fn search(Query(parameters): Query<Parameters>) -> Response {
    let query = parameters.query.as_deref().unwrap_or_default().to_lowercase();
    let found = data::moon()
        .into_iter()
        .filter(|brewery| brewery["name"].as_str().is_some_and(|name| name.to_lowercase().contains(&query)));
    page(found.collect(), &parameters)
}

async fn random(State(variant): State<Variant>) -> Json<Value> {
    let brewery = data::random();
    Json(if variant == Variant::BareRandom { brewery } else { json!([brewery]) })
}

fn page(breweries: Vec<Value>, parameters: &Parameters) -> Response {
    let skipped = parameters.page.saturating_sub(1).saturating_mul(parameters.per_page);
    let page: Vec<_> = breweries.into_iter().skip(skipped).take(parameters.per_page).collect();
    Json(page).into_response()
}
