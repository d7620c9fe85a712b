//! HTTP requests for a guest (`wit/http.wit`).
//!
//! [`Http`] asks the policy before a name is resolved, and again at every redirect; it connects only to addresses that
//! were checked, and only to those that this very look-up returned. Everything whose size a server determines has a
//! limit. It supports HTTP/1.1, uses no proxy and no cookies of the host, and never returns partial data as complete.
//! [`RequestHooks`] let its caller approve, count and record requests.
//!
//! This crate depends on policies (network rules and secrets) and on the messages about HTTP. It depends on no engine,
//! no records and no other capability.

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
mod spelling;
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
