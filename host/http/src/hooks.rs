//! Hooks by which the caller of the HTTP capability approves, counts and records requests.

use std::{collections::BTreeSet, pin::Pin, time::Duration};

use hyper::HeaderMap;
use isolette_abi::http::HttpError;
use isolette_policy::network::Permit;
use isolette_types::LimitHit;
use url::Url;

use crate::override_request::Override;

/// One request that the policy has decided about: the first, or one that follows a redirect.
#[derive(Debug)]
pub struct Hop<'a> {
    /// The HTTP method, in upper case.
    pub method: &'a str,
    /// The complete URL.
    pub url: &'a Url,
    /// The headers of the program and of the host, without secrets.
    pub headers: &'a HeaderMap,
    /// The body.
    pub body: &'a [u8],
    /// The number of redirects that led to this request.
    pub redirects: u32,
    /// Other requests that a server may treat it as. The policy has to allow each of them as well.
    pub overrides: &'a BTreeSet<Override>,
}

/// The pending decision of an approver. Waiting for it does not count towards the time that a request may take.
pub type Agreement = Pin<Box<dyn Future<Output = Result<(), HttpError>> + Send>>;

/// What remains of the limits on all requests of a run together.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Remaining bytes: bodies that are sent, and all that is received.
    pub bytes: u64,
    /// Remaining time.
    pub time: Duration,
}

/// The part of a [`Room`] that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// The bytes.
    Bytes,
    /// The time.
    Time,
}

/// Called at every step of a request to approve, count, record and limit it.
///
/// The default methods limit and record nothing.
pub trait RequestHooks: Send + Sync {
    /// Called when the policy allows a request, before it is sent. The hook can still refuse it, at once or by an
    /// [`Agreement`].
    ///
    /// # Errors
    /// The request is refused; the program receives this error.
    fn before_send(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError>;

    /// Called when the policy denies a request.
    fn refused(&self, _hop: &Hop<'_>) {}

    /// Called before an allowed request is repeated, because the server had closed the connection.
    ///
    /// # Errors
    /// The request is not repeated; the program receives this error.
    fn before_repeat(&self) -> Result<(), HttpError> {
        Ok(())
    }

    /// Called with the time that [`RequestHooks::before_send`] and its agreement took.
    fn waited(&self, _time: Duration) {}

    /// Returns what remains for this request. Default: no limits.
    fn remaining(&self) -> Room {
        Room { bytes: u64::MAX, time: Duration::MAX }
    }

    /// Called with the number of bytes of a body that were sent, or of bytes that were received.
    fn transferred(&self, _bytes: u64) {}

    /// Called when nothing remains of a limit. Returns the error for the program.
    fn exhausted(&self, _total: Total) -> HttpError {
        HttpError::Budget("nothing remains of what all requests may use together".into())
    }

    /// Called when a limit truncated or refused something.
    fn limit_reached(&self, _limit_hit: LimitHit) {}
}

/// Allows what the policy allows, without limits or records: for requests of the host itself.
#[derive(Clone, Copy, Debug)]
pub struct NoHooks;

impl RequestHooks for NoHooks {
    fn before_send(&self, hop: &Hop<'_>, _: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let origin = hop.url.origin().ascii_serialization();
        tracing::debug!(method = hop.method, origin, "request of the host");
        Ok(None)
    }
}
