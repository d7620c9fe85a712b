//! What is known of where a request came from.

use http::request::Parts;
use rmcp::model::Extensions;
use tokio_util::sync::CancellationToken;

/// The header by which older revisions of the protocol know a session.
pub(crate) const SESSION: &str = "mcp-session-id";

/// Put into every request by the transport.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    pub(crate) peer: String,
    pub(crate) machine: String,
    /// One that there is.
    pub(crate) session: Option<String>,
    /// Cancelled when the client has gone away without a word.
    pub(crate) gone: CancellationToken,
}

/// Where a request came from.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The other side's address and port.
    pub(crate) peer: String,
    /// The other side's address alone.
    pub(crate) machine: String,
    /// The session of the protocol's, in revisions that have one.
    pub(crate) session: Option<String>,
    /// Cancelled when the client has gone away without a word.
    pub(crate) gone: CancellationToken,
}

impl Connection {
    /// `None` if the request did not come over HTTP.
    pub(crate) fn of(extensions: &Extensions) -> Option<Self> {
        let parts = extensions.get::<Parts>()?;
        let Origin { peer, machine, session, gone } = parts.extensions.get::<Origin>().cloned().unwrap_or_default();
        Some(Self { peer, machine, session, gone })
    }
}
