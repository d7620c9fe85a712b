//! Isolette over the Model Context Protocol.
//!
//! [`Server`] lends a sandbox to agents: as one tool that runs programs ([`Profile::CodeAct`]), with tools to discover what
//! programs may call ([`Profile::CodeMode`]), or with sandboxes that live on between calls ([`Profile::Sessions`]). It
//! speaks every revision of the protocol that the SDK knows, over standard input and output ([`serve_stdio`]) or HTTP
//! ([`HttpServer`]). [`McpSource`] goes the other way: it makes the tools of another server callable from programs.
//!
//! What a server keeps from one request to the next hangs on a handle that it made up itself and that nobody can guess;
//! there is no sandbox that clients share, and a connection means nothing.

#![deny(missing_docs)]

mod client;
mod connection;
mod measured;
mod server;
mod transport;

pub use self::{
    client::{ConnectedSource, McpSource, SourceError, SourceTransport},
    server::{BudgetLimits, Profile, Server, ServerLimits, UnknownProfile},
    transport::{
        http::{HttpError, HttpOptions, HttpServer, MetricsServer},
        stdio::serve_stdio,
    },
};
