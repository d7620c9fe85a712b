//! HTTP requests for a guest (`wit/http.wit`).
//!
//! [`Http`] asks the policy before a name is resolved, and again at every redirect; it connects only to addresses that were
//! checked, and only to those that this very look-up returned. Everything that a server can make long has a limit. It speaks
//! HTTP/1.1, uses no proxy and no cookie of the host, and never passes partial data off as whole. [`RequestHooks`] are what its
//! caller decides, counts and records.
//!
//! It knows policies (network rules and secrets) and the messages about HTTP. It knows no engine, no record and no other
//! capability.

#![deny(missing_docs)]

mod body;
mod client;
mod connect;
mod connection;
mod error;
mod headers;
mod hooks;
mod http;
mod in_use;
mod limits;
mod message;
mod meter;
mod override_request;
mod overrides;
mod redirect;
mod request;
mod resolve;
mod response;
mod secrets;
#[cfg(test)]
mod tests;
mod time;
mod tls;
mod transport;
mod url_text;

pub use self::{
    headers::check_pair,
    hooks::{Agreement, Hop, NoHooks, RequestHooks, Room, Total},
    http::Http,
    limits::HttpLimits,
    override_request::Override,
    request::Request,
    resolve::{Answers, Resolve, System},
    response::Response,
    secrets::Secrets,
    tls::tls_configuration,
    transport::{AnyTransport, Exchange, HttpError, Transport},
};
