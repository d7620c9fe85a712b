//! Tools that come from one source together.

use super::Tool;

/// What a source of tools has: an OpenAPI document, an MCP server, or a program's own collection.
///
/// The names of its tools begin with the name of the source and a dot where it has one, as in `github.create_issue`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolSet {
    /// The tools, in an order that is the same each time.
    pub tools: Vec<Tool>,
    /// What the source has and what is no tool, with the reason.
    pub skipped: Vec<SkippedTool>,
    /// Where the tools send their requests, as absolute URLs without a trailing slash.
    pub base_urls: Vec<String>,
}

/// Something in a source that did not become a tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SkippedTool {
    /// What the source calls it.
    pub what: String,
    /// Why it is no tool.
    pub reason: String,
}

impl From<Vec<Tool>> for ToolSet {
    fn from(tools: Vec<Tool>) -> Self {
        Self { tools, ..Self::default() }
    }
}

impl SkippedTool {
    /// Notes that something is no tool.
    pub fn new(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { what: what.into(), reason: reason.into() }
    }
}
