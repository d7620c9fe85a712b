//! The origin of a request: client address, session, and whether the client has disconnected.

use http::request::Parts;
use rmcp::model::Extensions;
use tokio_util::sync::CancellationToken;

/// The header that carries the session identifier in older revisions of the protocol.
pub(crate) const SESSION: &str = "mcp-session-id";

/// The origin of a request, which the HTTP transport adds to its extensions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) peer: String,
    pub(crate) machine: String,
    /// Only sessions that exist.
    pub(crate) session: Option<String>,
    /// Cancelled when the client has disconnected without cancelling the request.
    pub(crate) gone: CancellationToken,
}

/// The connection that a request came over.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// Address and port of the client.
    pub(crate) peer: String,
    /// Address of the client without the port.
    pub(crate) machine: String,
    /// The protocol session, in revisions that have sessions.
    pub(crate) session: Option<String>,
    /// Cancelled when the client has disconnected without cancelling the request.
    pub(crate) gone: CancellationToken,
}

impl Connection {
    /// Returns `None` if the request did not come over HTTP.
    pub(crate) fn of(extensions: &Extensions) -> Option<Self> {
        let parts = extensions.get::<Parts>()?;
        let Origin { peer, machine, session, gone } = parts.extensions.get::<Origin>().cloned().unwrap_or_default();
        Some(Self { peer, machine, session, gone })
    }
}
