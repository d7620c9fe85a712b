//! HTTP requests that the host sends for the guest (`wit/http.wit`).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Payload;

/// One request. The reply is `Result<Response, HttpError>`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request<'a> {
    /// An HTTP method token such as `GET`.
    pub method: &'a str,
    /// An absolute `http` or `https` URL.
    pub url: &'a str,
    /// Pairs of name and value, in order. A name may occur more than once.
    #[serde(borrow)]
    pub headers: Vec<(&'a str, &'a str)>,
    /// The body of the request.
    pub body: Payload<'a>,
    /// Timeout of the whole exchange in nanoseconds, redirects included.
    pub timeout: Option<u64>,
    /// The maximum number of redirects that the host follows.
    pub redirects: u32,
    /// The line of the program that sends it, from 1; 0 if it is not known.
    pub line: u32,
}

/// The complete response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Response<'a> {
    /// The status code.
    pub status: u16,
    /// The URL of the response, after redirects.
    pub url: &'a str,
    /// Pairs of name and value, in order. A name may occur more than once.
    #[serde(borrow)]
    pub headers: Vec<(&'a str, &'a str)>,
    /// The body, with content codings decoded.
    pub body: Payload<'a>,
    /// Whether the body was cut at the size limit of the run.
    pub truncated: bool,
}

/// Why there is no response. Each case carries a human-readable message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HttpError {
    /// The policy denied the request. Nothing was sent.
    Denied(String),
    /// The host name could not be resolved.
    Dns(String),
    /// The connection could not be established, or was closed early.
    Connect(String),
    /// The TLS handshake failed.
    Tls(String),
    /// The timeout of the request or the deadline of the run has passed.
    Timeout(String),
    /// The request exceeds the size limit.
    TooLarge(String),
    /// The request is malformed, or the peer violated the protocol.
    Protocol(String),
    /// The run has used up a budget.
    Budget(String),
}
