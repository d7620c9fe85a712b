//! Hints of a tool about its own behavior.

use serde::Serialize;

/// Hints of a tool about its own behavior, as in MCP. The host does not verify them, so they may be shown to people but
/// must not decide anything. `None` means that the tool does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolHints {
    /// Whether the tool changes nothing.
    pub read_only: Option<bool>,
    /// Whether the tool can delete or overwrite something, rather than only add to it.
    pub destructive: Option<bool>,
    /// Whether repeated calls with the same arguments have no further effect.
    pub idempotent: Option<bool>,
    /// Whether the tool reaches systems outside the host, such as a service on the Internet.
    pub open_world: Option<bool>,
}
