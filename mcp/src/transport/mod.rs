//! The ways to a server.

pub(crate) mod http;
pub(crate) mod stdio;
