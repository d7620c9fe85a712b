//! What the caller of the HTTP capability decides, counts and records.

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
    /// The method.
    pub method: &'a str,
    /// The whole URL.
    pub url: &'a Url,
    /// The headers of the program and of the host, without secrets.
    pub headers: &'a HeaderMap,
    /// The body.
    pub body: &'a [u8],
    /// Other requests that a server may take it for, which the policy allows as well.
    pub overrides: &'a BTreeSet<Override>,
}

/// The decision of an approver. Waiting for it does not count towards the time that a request may take.
pub type Agreement = Pin<Box<dyn Future<Output = Result<(), HttpError>> + Send>>;

/// What remains of what all requests of a run may use together.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Bytes: bodies that are sent, and all that is received.
    pub bytes: u64,
    /// Time.
    pub time: Duration,
}

/// Which part of a [`Room`] is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// Its bytes.
    Bytes,
    /// Its time.
    Time,
}

/// The caller's part in a request: it is called at every step, counts and records it, and says how far it may go.
///
/// The default methods limit and record nothing.
pub trait RequestHooks: Send + Sync {
    /// The policy allows a request, which is about to be sent. It can still be refused, at once or by an [`Agreement`].
    ///
    /// # Errors
    /// The request is refused; the program gets this error.
    fn before_send(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError>;

    /// The policy refuses a request.
    fn refused(&self, _hop: &Hop<'_>) {}

    /// An allowed request is sent once more, because the server had closed the connection.
    ///
    /// # Errors
    /// It is not sent again; the program gets this error.
    fn before_repeat(&self) -> Result<(), HttpError> {
        Ok(())
    }

    /// How long [`RequestHooks::before_send`] and its agreement took.
    fn waited(&self, _time: Duration) {}

    /// What remains for this request.
    fn remaining(&self) -> Room {
        Room { bytes: u64::MAX, time: Duration::MAX }
    }

    /// So many bytes of a body were sent, or so many bytes were received.
    fn transferred(&self, _bytes: u64) {}

    /// Nothing remains. Returns the error for the program.
    fn exhausted(&self, _total: Total) -> HttpError {
        HttpError::Budget("nothing remains of what all requests may use together".into())
    }

    /// A limit cut something off, or had something refused.
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
