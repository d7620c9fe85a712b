//! The tools of one source.

use super::Tool;

/// The tools of one source: an OpenAPI document, an MCP server, or a collection of the embedder's.
///
/// If the source has a name, the names of its tools begin with it and a dot, as in `github.create_issue`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ToolSet {
    /// The tools, in a deterministic order.
    pub tools: Vec<Tool>,
    /// The items of the source that could not be converted to tools, with the reasons.
    pub skipped: Vec<SkippedTool>,
    /// The absolute URLs, without a trailing slash, below which the tools send their requests.
    pub base_urls: Vec<String>,
}

/// An item of a source that could not be converted to a tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SkippedTool {
    /// The name of the item in the source.
    pub what: String,
    /// Why it was not converted.
    pub reason: String,
}

impl From<Vec<Tool>> for ToolSet {
    fn from(tools: Vec<Tool>) -> Self {
        Self { tools, ..Self::default() }
    }
}

impl SkippedTool {
    /// Creates a record of an item that could not be converted to a tool.
    pub fn new(what: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { what: what.into(), reason: reason.into() }
    }
}
