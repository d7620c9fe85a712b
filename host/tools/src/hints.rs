//! What a tool says of itself.

use serde::Serialize;

/// What a tool says of itself. Nobody checks it, so it may be shown and must not decide anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolHints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It can take something away, rather than only add to it.
    pub destructive: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches things outside of the host, such as a service on the Internet.
    pub open_world: Option<bool>,
}
