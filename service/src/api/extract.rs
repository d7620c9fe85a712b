//! The parts of requests that handlers take: the caller, and a body in JSON.

use std::sync::Arc;

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{StatusCode, request::Parts};
use isolette::values::{LostDigits, ReadError, Reservation, WAIT, read_json, value_bytes};
use isolette_listener::body::{self, BodyError};
use serde::de::DeserializeOwned;

use crate::{caller::Caller, failure::Failure, shared::Shared};

/// The sender of a request, which [`serve`](crate::serve) has added to it.
impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Response> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| {
            let failure = Failure::new(StatusCode::UNAUTHORIZED, "Unauthorized", "the caller is not known", "");
            failure.into_response()
        })
    }
}

/// Parts of the path.
pub(super) struct Path<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(path)| Self(path)).map_err(|error| {
            Failure::invalid(format!("the path cannot be read: {}", error.body_text()), "write it as UTF-8, encoded")
        })
    }
}

/// Query parameters.
pub(super) struct Query<T>(pub(super) T);

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        axum::extract::Query::try_from_uri(&parts.uri)
            .map(|axum::extract::Query(query)| Self(query))
            .map_err(|error| Failure::invalid(format!("the query cannot be read: {error}"), "see the OpenAPI document"))
    }
}

/// A body in JSON, with the memory that its values take.
pub(super) struct JsonBody<T> {
    pub(super) value: T,
    _memory: Reservation,
}

impl<T: DeserializeOwned> FromRequest<Arc<Shared>> for JsonBody<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, shared: &Arc<Shared>) -> Result<Self, Failure> {
        let (bytes, mut memory) = read(request, shared.resources.limits.body_bytes).await?;
        // Requests without a body have all defaults.
        let bytes = if bytes.iter().all(u8::is_ascii_whitespace) { Bytes::from_static(b"{}") } else { bytes };
        let more = value_bytes(&bytes).saturating_sub(memory.bytes());
        memory.grow_until(more, tokio::time::sleep(WAIT)).await.map_err(|why| Failure::no_memory(&why))?;
        let wrong = |message: String| Failure::invalid(message, "send JSON as the OpenAPI document describes it");
        // Without names, a list would be read as the fields in their order.
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[') {
            return Err(wrong("the body is a list, and not an object".into()));
        }
        let value = read_json(&bytes).map_err(|error| match error {
            ReadError::LostDigits(lost) => Failure::invalid(lost.of(""), LostDigits::HINT),
            ReadError::NoJson(error) => wrong(format!("the body cannot be read: {error}")),
        })?;
        Ok(Self { value, _memory: memory })
    }
}

/// Reads a body of at most `limit` bytes.
pub(super) async fn read(request: Request, limit: usize) -> Result<(Bytes, Reservation), Failure> {
    body::read(request.into_body(), limit, body::TIME).await.map_err(|error| match error {
        BodyError::NoMemory(why) => Failure::no_memory(&why),
        BodyError::TooLong => {
            let message = format!("the body has more than {limit} bytes");
            Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "TooLarge", message, "send less at a time")
        }
        BodyError::BrokenOff => Failure::invalid("the body broke off", "send the request again"),
        BodyError::TooSlow => {
            let message = format!("the body took longer than {:?} to arrive", body::TIME);
            Failure::new(StatusCode::REQUEST_TIMEOUT, "TooSlow", message, "send the request again")
        }
    })
}
