//! The client: tools from other MCP servers, for programs to call.
//!
//! Data from a server is untrusted, like data from a program: descriptions, schemas and results are bounded, and names
//! are converted to identifiers. A server cannot send questions to the user of this machine.

mod child;
mod connected;
mod connection;
mod error;
mod filter;
mod handler;
mod http;
mod listed;
mod pace;
mod result;
mod source;
mod tools;
mod transport;

pub use self::{
    connected::ConnectedSource,
    error::SourceError,
    source::{McpSource, SourceTransport},
};
