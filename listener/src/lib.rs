//! The common part of the HTTP servers of this project: they accept a limited number of connections, refuse requests that are
//! ambiguous or have no token, read bodies of limited length in limited time, and close connections without losing responses.
//!
//! The crate knows no routes and no protocol above HTTP/1.1. A server passes a service to [`accept`], and calls the functions of
//! [`access`] and [`body`] where they belong in its order of checks.

#![deny(missing_docs)]

mod accept;
pub mod access;
pub mod body;
mod lingering;

pub use self::accept::{Incoming, Listener, Peer, accept};
