//! Who answers for a request.

use std::{collections::BTreeSet, pin::Pin, time::Duration};

use hyper::HeaderMap;
use isolette_abi::http::HttpError;
use url::Url;

use super::overrides::Override;
use crate::policy::{Breach, network::Permit};

/// One request that the policy has decided about: the first, or what a redirect led to.
pub(crate) struct Hop<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a Url,
    /// What the program sends, with what the host adds, but for secrets.
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    /// What a server may take it for, which the policy allows as well.
    pub(crate) overrides: &'a BTreeSet<Override>,
}

/// Somebody's answer. To wait for it is no part of the time that a request may take.
pub(crate) type Agreement = Pin<Box<dyn Future<Output = Result<(), HttpError>> + Send>>;

/// What may still be used of what all requests have together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Bytes: bodies that are sent, and all that comes in.
    pub(crate) bytes: u64,
    pub(crate) time: Duration,
}

/// What of it is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Total {
    Bytes,
    Time,
}

/// Whoever answers for a request hears of all that is done for it, and says how far that may go. This is where requests are
/// counted and recorded.
pub(crate) trait Account: Send + Sync {
    /// The policy allows a request, which is about to be sent. It may still be refused, at once or after somebody has been
    /// asked.
    fn sends(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError>;

    /// The policy refuses a request.
    fn refused(&self, _hop: &Hop<'_>) {}

    /// A request that was allowed is sent once more, because its connection had been closed before.
    fn repeats(&self) -> Result<(), HttpError> {
        Ok(())
    }

    /// So long [`Account::sends`] and the agreement took.
    fn waited(&self, _time: Duration) {}

    fn room(&self) -> Room {
        Room { bytes: u64::MAX, time: Duration::MAX }
    }

    /// So many bytes of a body went out, or so many bytes came in, whatever they were.
    fn flowed(&self, _bytes: u64) {}

    /// There is no room left. Gives what the program is told.
    fn exhausted(&self, _total: Total) -> HttpError {
        HttpError::Budget("nothing is left of what all requests may use together".into())
    }

    /// A limit cut something off, or had something refused.
    fn reached(&self, _breach: Breach) {}
}

/// Allows what the policy allows, and keeps nothing.
#[cfg(any(test, feature = "openapi"))]
pub(crate) struct Nobody;

#[cfg(any(test, feature = "openapi"))]
impl Account for Nobody {
    fn sends(&self, hop: &Hop<'_>, _: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let origin = hop.url.origin().ascii_serialization();
        tracing::debug!(method = hop.method, origin, "request of the host");
        Ok(None)
    }
}
