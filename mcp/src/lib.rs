//! A server that offers Isolette sandboxes over the Model Context Protocol (MCP), and a client for tools of other MCP
//! servers.
//!
//! [`Server`] provides sandboxes to agents: as one tool that runs programs ([`Profile::CodeAct`]), with additional
//! tools to discover what programs may call ([`Profile::CodeMode`]), or with sandboxes that keep their state between
//! calls ([`Profile::Sessions`]). It supports every revision of the protocol that the SDK supports, over standard input
//! and output ([`serve_stdio`]) or HTTP ([`HttpServer`]). [`McpSource`] connects to another server and makes its tools
//! callable from programs.
//!
//! State that outlives a request is accessible only by an unguessable handle that the server generated. Clients share
//! no sandbox, and a connection grants no rights.
//!
//! The crate depends on the crates `isolette` and `isolette-agent`, on HTTP for the TLS of its client, and on the listener of servers.
//! It depends on no engine and no policy by itself: what a client can do is decided by the sandboxes that its embedder configures.

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
