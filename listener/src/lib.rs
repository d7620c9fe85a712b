//! The common part of the HTTP servers of this project: they accept a limited number of connections, refuse requests that are
//! ambiguous or have no token, read bodies of limited length in limited time, limit what waits
//! to be sent, and close connections without losing responses.
//!
//! The crate knows no routes and no protocol above HTTP/1.1. A server passes a service to [`accept`], and calls the functions of
//! [`access`], [`body`] and [`responses`] where they belong in its order of checks.

#![deny(missing_docs)]

mod accept;
pub mod access;
pub mod body;
mod connections;
mod file;
mod framing;
mod lingering;
pub mod responses;
mod sending;

pub use self::{
    accept::{Incoming, Listener, Peer, accept},
    connections::Connections,
    file::FileBody,
};
