//! What is known of where a request came from.

use http::request::Parts;
use rmcp::model::Extensions;
use tokio_util::sync::CancellationToken;

/// The header by which older revisions of the protocol know a session.
pub(super) const SESSION: &str = "mcp-session-id";

/// Put into every request by the transport.
#[derive(Clone, Debug)]
pub(super) struct Origin {
    pub(super) peer: String,
    /// Cancelled when the client has gone away without a word.
    pub(super) gone: CancellationToken,
}

/// Where a request came from.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    /// The other side's address and port.
    pub(crate) peer: String,
    /// The session of the protocol's, in revisions that have one.
    pub(crate) session: Option<String>,
    /// Cancelled when the client has gone away without a word.
    pub(crate) gone: CancellationToken,
}

impl Connection {
    /// `None` if the request did not come over HTTP.
    pub(crate) fn of(extensions: &Extensions) -> Option<Self> {
        let parts = extensions.get::<Parts>()?;
        let session = parts.headers.get(SESSION).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
        let origin = parts.extensions.get::<Origin>().cloned();
        let Origin { peer, gone } =
            origin.unwrap_or_else(|| Origin { peer: String::new(), gone: CancellationToken::new() });
        Some(Self { peer, session, gone })
    }
}
