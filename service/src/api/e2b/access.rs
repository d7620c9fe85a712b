//! The sender of a request of E2B's clients: the owner of an API key, or a client with the access token of a sandbox.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::{HeaderMap, StatusCode, request::Parts};
use subtle::ConstantTimeEq as _;

use super::Refusal;
use crate::{caller::Caller, failure::Failure, sandboxes::LiveSandbox, shared::Shared};

/// The header with the identifier of the sandbox.
const SANDBOX: &str = "e2b-sandbox-id";

/// Headers with the access token of a sandbox; clients send one or the other.
const TOKENS: [&str; 2] = ["x-access-token", "e2b-traffic-access-token"];

/// The owner of an API key.
pub(super) struct ApiKey(pub(super) Caller);

impl<S: Sync> FromRequestParts<S> for ApiKey {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Refusal> {
        parts.extensions.get::<Caller>().cloned().map(Self).ok_or_else(unauthorized)
    }
}

/// The sandbox of a request to the sandbox itself.
pub(super) struct Access(pub(super) Arc<LiveSandbox>);

impl FromRequestParts<Arc<Shared>> for Access {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, shared: &Arc<Shared>) -> Result<Self, Refusal> {
        let id = sandbox(&parts.headers).ok_or_else(|| {
            Refusal(Failure::invalid(
                "`E2b-Sandbox-Id` is missing",
                "set E2B_SANDBOX_URL to the address of E2B_API_URL",
            ))
        })?;
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(Self(shared.sandboxes.find(&caller.name, &id)?));
        }
        let token = token(&parts.headers).ok_or_else(unauthorized)?;
        let sandbox = shared.sandboxes.find_with(&id, |access| access.as_bytes().ct_eq(token.as_bytes()).into());
        Ok(Self(sandbox?))
    }
}

/// The sandbox that a request is for.
pub(in crate::api) fn sandbox(headers: &HeaderMap) -> Option<String> {
    headers.get(SANDBOX).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

/// The access token of a sandbox that a request has.
pub(in crate::api) fn token(headers: &HeaderMap) -> Option<&str> {
    TOKENS.iter().find_map(|name| headers.get(*name)?.to_str().ok())
}

fn unauthorized() -> Refusal {
    let hint = "set E2B_API_KEY to a token that the operator of this server has set";
    Refusal(Failure::new(StatusCode::UNAUTHORIZED, "Unauthorized", "the request has no API key of this server", hint))
}
