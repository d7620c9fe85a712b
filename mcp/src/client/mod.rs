//! Tools from other servers of the protocol, for programs to call.
//!
//! What comes from a server is as little trusted as what comes from a program: descriptions, schemas and results are
//! bounded, and names are made into names. A server never gets to ask anything of this machine's user.

mod child;
mod connected;
mod connection;
mod error;
mod filter;
mod handler;
mod http;
mod listed;
mod result;
mod source;
mod tools;
mod transport;

pub use self::{
    connected::ConnectedSource,
    error::SourceError,
    source::{McpSource, SourceTransport},
};
