//! The sender of a request of E2B's clients: the owner of an API key, a client with the access token of a sandbox, or anyone with the
//! signed address of one file.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use http::{HeaderMap, HeaderName, Method, StatusCode, Uri, request::Parts};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use super::{PATH, Refusal};
use crate::{caller::Caller, clock, failure::Failure, sandboxes::LiveSandbox, shared::Shared};

/// The header with the identifier of the sandbox.
pub(super) const SANDBOX: HeaderName = HeaderName::from_static("e2b-sandbox-id");

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
                "`E2b-Sandbox-Id` is missing, or there are several",
                "set E2B_SANDBOX_URL to the address of E2B_API_URL",
            ))
        })?;
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(Self(shared.sandboxes.find(&caller.name, &id)?));
        }
        let claim = SandboxClaim::of(&parts.headers, &parts.method, &parts.uri).ok_or_else(unauthorized)?;
        if claim.has_expired() {
            return Err(Refusal(Failure::new(
                StatusCode::UNAUTHORIZED,
                "Unauthorized",
                "the address of the file has expired",
                "make another one",
            )));
        }
        Ok(Self(shared.sandboxes.find_with(&id, |access| claim.is_for(access))?))
    }
}

/// The sandbox that a request is for.
pub(in crate::api) fn sandbox(headers: &HeaderMap) -> Option<String> {
    let mut named = headers.get_all(SANDBOX).iter();
    let first = named.next()?;
    // Two parts of the server could use different ones.
    named.all(|other| other == first).then(|| first.to_str().ok().map(str::to_owned)).flatten()
}

/// The right of a client to a sandbox without being its owner.
pub(in crate::api) enum SandboxClaim {
    /// The access token of the sandbox.
    Token(String),
    /// The signature of the address of a file.
    Signature(Signature),
}

impl SandboxClaim {
    pub(in crate::api) fn of(headers: &HeaderMap, method: &Method, uri: &Uri) -> Option<Self> {
        let token = TOKENS.iter().find_map(|name| headers.get(*name)?.to_str().ok());
        token.map(|token| Self::Token(token.to_owned())).or_else(|| Signature::of(method, uri).map(Self::Signature))
    }

    /// Whether it is for the sandbox with this access token.
    pub(in crate::api) fn is_for(&self, access: &str) -> bool {
        match self {
            Self::Token(token) => access.as_bytes().ct_eq(token.as_bytes()).into(),
            Self::Signature(signature) => signature.is_by(access),
        }
    }

    fn has_expired(&self) -> bool {
        matches!(self, Self::Signature(signature) if signature.has_expired())
    }
}

/// The signature of the address of a file, as E2B's clients make it: a digest of the path, the operation and the access token.
pub(in crate::api) struct Signature {
    /// The digest of all that comes before the access token.
    signed: Sha256,
    /// In seconds since 1970.
    expiration: Option<i64>,
    signature: String,
}

impl Signature {
    /// The signature of a request for a file below [`PATH`], if it has one.
    fn of(method: &Method, uri: &Uri) -> Option<Self> {
        (uri.path().strip_prefix(PATH) == Some("/files") || uri.path() == "/files").then_some(())?;
        let operation = match *method {
            Method::GET | Method::HEAD => "read",
            Method::POST => "write",
            _ => return None,
        };
        let pairs = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri).ok()?.0;
        // A parameter that is there twice is read in one way or not at all.
        let get = |name: &str| {
            let mut found = pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str());
            match (found.next(), found.next()) {
                (found, None) => Some(found),
                _ => None,
            }
        };
        let (path, user) = (get("path")?.unwrap_or_default(), get("username")?.unwrap_or_default());
        let expiration = get("signature_expiration")?.map(|text| text.parse::<i64>()).transpose().ok()?;
        let signature = get("signature")??.to_owned();
        // With one more `:` the same text would be the signature of another path and operation.
        if user.contains(':') {
            return None;
        }
        Some(Self { signed: Sha256::new_with_prefix(format!("{path}:{operation}:{user}:")), expiration, signature })
    }

    fn is_by(&self, access: &str) -> bool {
        let mut digest = self.signed.clone();
        digest.update(access);
        if let Some(expiration) = self.expiration {
            digest.update(format!(":{expiration}"));
        }
        let expected = format!("v1_{}", STANDARD_NO_PAD.encode(digest.finalize()));
        expected.as_bytes().ct_eq(self.signature.as_bytes()).into()
    }

    fn has_expired(&self) -> bool {
        self.expiration.is_some_and(|seconds| seconds.saturating_mul(1000) <= clock::now())
    }
}

/// Finds the sandbox of a signed address of a file that names none: clients with E2B_SANDBOX_URL make such addresses.
pub(crate) fn resolve_signed<B>(shared: &Shared, request: &mut http::Request<B>) -> Result<(), Refusal> {
    if request.headers().contains_key(SANDBOX) {
        return Ok(());
    }
    let Some(signature) = Signature::of(request.method(), request.uri()) else { return Ok(()) };
    let Some(id) = shared.sandboxes.id_with(|access| signature.is_by(access)) else {
        let hint = "use it while the sandbox exists; or make it without E2B_SANDBOX_URL, so that it has the sandbox in its host";
        let message = match shared.resources.replicas {
            None => "the signature of this address is of no sandbox of this server",
            Some(_) => "the address names no sandbox, and its signature is of none that this server has",
        };
        return Err(Refusal(Failure::new(StatusCode::UNAUTHORIZED, "Unauthorized", message, hint)));
    };
    let unreadable = || Refusal(Failure::invalid("the path cannot be read", "write it as RFC 3986 says"));
    request.headers_mut().insert(SANDBOX, id.parse().map_err(|_| unreadable())?);
    let path = request.uri().path_and_query().map_or("/files", |path| path.as_str());
    let path = path.strip_prefix(PATH).unwrap_or(path);
    *request.uri_mut() = format!("{PATH}{path}").parse().map_err(|_| unreadable())?;
    Ok(())
}

fn unauthorized() -> Refusal {
    let hint = "set E2B_API_KEY to a token that the operator of this server has set";
    Refusal(Failure::new(StatusCode::UNAUTHORIZED, "Unauthorized", "the request has no API key of this server", hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(method: Method, uri: &str) -> Option<Signature> {
        Signature::of(&method, &uri.parse().unwrap())
    }

    #[test]
    fn signatures_are_those_of_e2bs_clients() {
        // Made by `get_signature` of `e2b` 2.63.0.
        let read = "/e2b/files?path=a%20b/c.txt&signature=v1_tvrjqvoupatB5/rwTLSD/OJ/N56f7HcQne6iPK6Fud0";
        assert!(signature(Method::GET, read).unwrap().is_by("at-1"));
        let write = "/files?path=x&username=root&signature_expiration=99\
            &signature=v1_laOXnyXl/i6A/bARiSslI8%2BAXSaa/8oqsPRacQX8DuM";
        assert!(signature(Method::POST, write).unwrap().is_by("at-1"));
        let by = |method: Method, raw: &str, query: &str| {
            let digest = STANDARD_NO_PAD.encode(Sha256::digest(raw));
            let encoded: String = digest.replace('+', "%2B").replace('/', "%2F");
            signature(method, &format!("/e2b/files?{query}&signature=v1_{encoded}"))
                .is_some_and(|found| found.is_by("at-1"))
        };
        assert!(by(Method::GET, "a b/c:read::at-1", "path=a%20b/c"));
        assert!(by(Method::POST, "a:write:root:at-1:99", "path=a&username=root&signature_expiration=99"));
        assert!(by(Method::POST, ":write::at-1", "x=y"));
        for (method, raw, query) in [
            (Method::POST, "a:read::at-1", "path=a"),
            (Method::GET, "a:read::at-2", "path=a"),
            (Method::GET, "a:read::at-1", "path=b"),
            (Method::GET, "a:read::at-1", "path=a&signature_expiration=1"),
            (Method::GET, "a:read::at-1:1", "path=a"),
            (Method::GET, "a:read::at-1", "path=a&path=b"),
            (Method::GET, "a:read::at-1", "path=a&username=root"),
            (Method::DELETE, "a:read::at-1", "path=a"),
        ] {
            assert!(!by(method, raw, query), "{raw} {query}");
        }
        assert!(signature(Method::GET, "/e2b/execute?signature=v1_x").is_none());
        assert!(signature(Method::GET, "/e2b/files?path=a").is_none());
        assert!(signature(Method::GET, "/e2b/files?signature=x&signature_expiration=1").unwrap().has_expired());
        assert!(
            !signature(Method::GET, "/e2b/files?signature=x&signature_expiration=99999999999999999")
                .unwrap()
                .has_expired()
        );
        assert!(signature(Method::GET, "/e2b/files?signature=x&signature_expiration=later").is_none());
    }

    #[test]
    fn two_sandboxes_are_none() {
        let of = |values: &[&'static str]| {
            let pairs = values.iter().map(|value| (SANDBOX, http::HeaderValue::from_static(value)));
            sandbox(&pairs.collect())
        };
        assert_eq!(of(&["a", "a"]).as_deref(), Some("a"));
        assert_eq!(of(&["a", "b"]), None);
        assert_eq!(of(&[]), None);
    }
}
