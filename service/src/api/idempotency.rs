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
use crate::{
    caller::Caller,
    failure::{Done, Failure},
    id::is_name,
    replicas::{Keyed, KeyedRequest},
    shared::Shared,
    store::responses::{self, KeyedResponse},
};

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
            return Err(in_use());
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
    if let Some(found) =
        shared.resources.store.read(move |connection| responses::find(connection, &owner, &wanted)).await?
    {
        return repeated(found, &digest);
    }
    let owner = caller.name.to_string();
    if let Some(bytes) = shared.resources.store.read(move |connection| responses::reached(connection, &owner)).await? {
        return Err(Failure::busy(
            format!("the responses that are kept for this caller's keys take {bytes} bytes"),
            "send requests without `Idempotency-Key` where a response may be long; each is kept for a day",
        ));
    }
    let begun = match &shared.resources.replicas {
        None => None,
        Some(replicas) => match replicas.begin_keyed(&caller.name, &key, &digest).await? {
            Keyed::Answered(found) => return repeated(found, &digest),
            Keyed::InUse => return Err(in_use()),
            Keyed::Begun(begun) => Some(begun),
        },
    };
    let request = Request::from_parts(head, Body::from(bytes));
    let shared = Arc::clone(shared);
    // It goes on if the caller goes away, who will ask for the response with the same key.
    uninterrupted(async move {
        let response = next.run(request).await;
        drop(memory);
        let kept = keep(&shared, &caller, (key, digest), begun, response).await;
        drop(pending);
        kept
    })
    .await
}

/// Stores a response, so that it can be repeated.
async fn keep(
    shared: &Arc<Shared>,
    caller: &Caller,
    (key, request): (String, String),
    begun: Option<KeyedRequest>,
    response: Response,
) -> Result<Response, Failure> {
    let (head, body) = response.into_parts();
    let body = body.collect().await.map_err(|error| Failure::conflict(error.to_string(), "send it again"))?.to_bytes();
    // The response to a request that failed for a temporary reason is not kept, so that the request can be tried again.
    let is_done = head.extensions.get::<Done>().is_some();
    let can_pass = !is_done && (head.status.is_server_error() || head.status == StatusCode::TOO_MANY_REQUESTS);
    let is_kept = !can_pass && body.len() <= LENGTH;
    let status = head.status.as_u16();
    if let (Some(begun), Some(replicas)) = (begun, &shared.resources.replicas)
        && let Err(failure) = replicas.end_keyed(begun, is_kept.then_some((status, &body[..]))).await
    {
        tracing::warn!("other servers would not repeat a response: {}", failure.detail().message);
    }
    if is_kept {
        let owner = caller.name.to_string();
        let kept = KeyedResponse { request, status, body: body.to_vec() };
        let insert = move |connection: &Connection| responses::put(connection, &owner, &key, &kept);
        shared.resources.store.change(insert).await?;
    }
    Ok(Response::from_parts(head, Body::from(body)))
}

/// The response to a request that was answered before, if this one is the same.
fn repeated(found: KeyedResponse, digest: &str) -> Result<Response, Failure> {
    if found.request != digest {
        return Err(Failure::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "KeyReused",
            "this key was used for another request",
            "use a new key for each request",
        ));
    }
    let status = StatusCode::from_u16(found.status).unwrap_or(StatusCode::OK);
    Ok((status, [(header::CONTENT_TYPE, "application/json")], found.body).into_response())
}

fn in_use() -> Failure {
    let message = "a request with this key is being answered";
    Failure::new(StatusCode::CONFLICT, "KeyInUse", message, "wait, and send it again")
}
