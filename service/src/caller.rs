//! The senders of requests.

use std::{fmt, sync::Arc};

use http::HeaderMap;
use isolette::Secret;
use isolette_listener::access::has_token;
use subtle::ConstantTimeEq as _;

/// A bearer token, and the name of the caller that it belongs to. Callers do not see the sandboxes of one another.
#[derive(Clone)]
pub struct Token {
    /// The name of the caller, for records and limits. Several tokens can have the same one.
    pub caller: String,
    /// The token.
    pub secret: Secret,
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Token").field("caller", &self.caller).finish_non_exhaustive()
    }
}

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    pub(crate) name: Arc<str>,
    /// Whether it has the rights of the user of this process.
    pub(crate) is_user: bool,
}

/// The name of the callers of a Unix socket. Tokens cannot have it.
pub(crate) const USER: &str = "user";

impl Caller {
    /// A process of the user of this process.
    pub(crate) fn user() -> Self {
        Self { name: USER.into(), is_user: true }
    }

    /// The caller whose token a request has.
    pub(crate) fn of_token(headers: &HeaderMap, tokens: &[Token]) -> Option<Self> {
        let mut matching = tokens.iter().filter(|token| has_token(headers, &token.secret));
        matching.next_back().map(|token| Self { name: token.caller.as_str().into(), is_user: false })
    }

    /// The caller whose token is the API key of a request of E2B's clients.
    pub(crate) fn of_api_key(headers: &HeaderMap, tokens: &[Token]) -> Option<Self> {
        let key = headers.get("x-api-key")?.as_bytes();
        let mut matching = tokens.iter().filter(|token| bool::from(token.secret.expose().as_bytes().ct_eq(key)));
        matching.next_back().map(|token| Self { name: token.caller.as_str().into(), is_user: false })
    }
}
