//! The ways to a server.

pub(crate) mod http;
mod lines;
pub(crate) mod stdio;
