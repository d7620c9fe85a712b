//! `Idempotency-Key`: a POST request that is sent again gets the response of the first time, and nothing is done twice.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{Method, StatusCode, header};
use http_body_util::BodyExt as _;
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

use super::{extract::read, uninterrupted::uninterrupted};
use crate::{caller::Caller, failure::Failure, id::is_name, shared::Shared, store::responses};

/// Maximum length of a response that is kept, in bytes. Longer ones are sent, and not repeated.
const LENGTH: usize = 32 << 20;

const HEADER: &str = "idempotency-key";

/// Callers with the keys of their requests that are being answered.
type Keys = HashSet<(Arc<str>, String)>;

fn pending() -> &'static Mutex<Keys> {
    static PENDING: OnceLock<Mutex<Keys>> = OnceLock::new();
    PENDING.get_or_init(Mutex::default)
}

struct Pending((Arc<str>, String));

impl Pending {
    fn begin(caller: Arc<str>, key: String) -> Result<Self, Failure> {
        let entry = (caller, key);
        if !pending().lock().unwrap_or_else(PoisonError::into_inner).insert(entry.clone()) {
            return Err(Failure::conflict("a request with this key is being answered", "wait, and send it again"));
        }
        Ok(Self(entry))
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        pending().lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Answers a request with a key from what is stored, if it was answered before.
pub(super) async fn once(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let key = request.headers().get(HEADER).map(|key| key.to_str().unwrap_or_default().to_owned());
    match key {
        Some(key) if *request.method() == Method::POST => {
            answer(&shared, key, request, next).await.unwrap_or_else(Failure::into_response)
        }
        _ => next.run(request).await,
    }
}

async fn answer(shared: &Arc<Shared>, key: String, request: Request, next: Next) -> Result<Response, Failure> {
    if !is_name(&key) {
        return Err(Failure::invalid(
            "`Idempotency-Key` cannot be used",
            "use up to 64 letters, digits, `-`, `_` and `.`, and begin with a letter or digit",
        ));
    }
    let Some(caller) = request.extensions().get::<Caller>().cloned() else { return Ok(next.run(request).await) };
    if super::events::are_wanted(request.headers()) {
        return Err(Failure::invalid(
            "`Idempotency-Key` cannot be used for a stream of events",
            "run the program in the background, and ask for its events",
        ));
    }
    let pending = Pending::begin(Arc::clone(&caller.name), key.clone())?;
    let (head, body) = request.into_parts();
    let (bytes, memory) = read(Request::from_parts(head.clone(), body), shared.resources.limits.body_bytes).await?;
    let digest = {
        let mut digest = Sha256::new();
        digest.update(head.uri.to_string());
        digest.update([0]);
        digest.update(&bytes);
        hex::encode(digest.finalize())
    };
    let (owner, wanted) = (caller.name.to_string(), key.clone());
    if let Some((request, status, body)) =
        shared.resources.store.read(move |connection| responses::find(connection, &owner, &wanted)).await?
    {
        if request != digest {
            return Err(Failure::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "KeyReused",
                "this key was used for another request",
                "use a new key for each request",
            ));
        }
        return Ok(repeated(status, body));
    }
    let request = Request::from_parts(head, Body::from(bytes));
    let shared = Arc::clone(shared);
    // It goes on if the caller goes away, who will ask for the response with the same key.
    uninterrupted(async move {
        let response = next.run(request).await;
        drop(memory);
        let kept = keep(&shared, &caller, key, digest, response).await;
        drop(pending);
        kept
    })
    .await
}

/// Stores a response, so that it can be repeated.
async fn keep(
    shared: &Arc<Shared>,
    caller: &Caller,
    key: String,
    digest: String,
    response: Response,
) -> Result<Response, Failure> {
    let status = response.status();
    // What failed for a reason that can pass is tried again.
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Ok(response);
    }
    let (head, body) = response.into_parts();
    let body = body.collect().await.map_err(|error| Failure::conflict(error.to_string(), "send it again"))?.to_bytes();
    if body.len() <= LENGTH {
        let (owner, stored) = (caller.name.to_string(), body.to_vec());
        let insert = move |connection: &Connection| {
            responses::put(connection, &owner, &key, (&digest, status.as_u16(), &stored))
        };
        shared.resources.store.change(insert).await?;
    }
    Ok(Response::from_parts(head, Body::from(body)))
}

fn repeated(status: u16, body: Vec<u8>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
