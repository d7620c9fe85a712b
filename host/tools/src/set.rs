//! The tools of one source.

use std::fmt;

use serde::{Serialize, Serializer};

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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SkippedTool {
    /// The name of the item in the source.
    pub what: String,
    /// Why it was not converted.
    pub reason: SkipReason,
}

/// Why an item of a source was not converted to a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// A filter excludes it.
    Excluded {
        /// The first pattern that matches it.
        pattern: String,
    },
    /// Filters include only other items.
    NotIncluded,
    /// It cannot be converted; the text says why.
    Unusable(String),
}

impl SkipReason {
    /// Returns whether a filter of the embedder or operator selected other items, so that the item itself may be usable.
    #[must_use]
    pub fn is_filter(&self) -> bool {
        matches!(self, Self::Excluded { .. } | Self::NotIncluded)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Excluded { pattern } => write!(formatter, "excluded by `{pattern}`"),
            Self::NotIncluded => formatter.write_str("not included"),
            Self::Unusable(why) => formatter.write_str(why),
        }
    }
}

impl Serialize for SkipReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl From<String> for SkipReason {
    fn from(why: String) -> Self {
        Self::Unusable(why)
    }
}

impl From<&str> for SkipReason {
    fn from(why: &str) -> Self {
        Self::Unusable(why.to_owned())
    }
}

impl From<Vec<Tool>> for ToolSet {
    fn from(tools: Vec<Tool>) -> Self {
        Self { tools, ..Self::default() }
    }
}

impl SkippedTool {
    /// Creates a record of an item that could not be converted to a tool.
    pub fn new(what: impl Into<String>, reason: impl Into<SkipReason>) -> Self {
        Self { what: what.into(), reason: reason.into() }
    }
}
