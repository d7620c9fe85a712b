//! The transports of the server.

pub(crate) mod http;
pub(crate) mod lines;
pub(crate) mod one_line;
pub(crate) mod stdio;
