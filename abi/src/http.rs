//! HTTP requests that the host makes (`wit/http.wit`).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Payload;

/// One request. The reply is `Result<Response, HttpError>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request<'a> {
    /// An HTTP method token.
    pub method: &'a str,
    /// An absolute URL.
    pub url: &'a str,
    /// In order; a name may occur more than once.
    #[serde(borrow)]
    pub headers: Vec<(&'a str, &'a str)>,
    /// What is sent.
    pub body: Payload<'a>,
    /// Nanoseconds for the whole exchange.
    pub timeout: Option<u64>,
    /// How many redirects to follow.
    pub redirects: u32,
}

/// The whole answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response<'a> {
    /// The status code.
    pub status: u16,
    /// After redirects.
    pub url: &'a str,
    /// In order; a name may occur more than once.
    #[serde(borrow)]
    pub headers: Vec<(&'a str, &'a str)>,
    /// Content codings undone.
    pub body: Payload<'a>,
    /// The body ends where the limit was reached.
    pub truncated: bool,
}

/// Why there is no response; each with a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HttpError {
    /// The policy refused; nothing was sent.
    Denied(String),
    /// The name could not be resolved.
    Dns(String),
    /// No connection, or it broke.
    Connect(String),
    /// The handshake failed.
    Tls(String),
    /// Out of time.
    Timeout(String),
    /// The request is over the limit.
    TooLarge(String),
    /// Malformed on either side.
    Protocol(String),
    /// The run has used up what it was given.
    Budget(String),
}
