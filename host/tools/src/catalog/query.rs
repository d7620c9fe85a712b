//! Queries of a catalog and their results.

use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;

use super::parameters;
use crate::Tool;
use isolette_types::Error;

/// How much information about each tool is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Detail {
    /// The name only.
    Name,
    /// The name, description and tags.
    #[default]
    Brief,
    /// As [`Detail::Brief`], with the parameters as a readable list.
    Detailed,
    /// As [`Detail::Brief`], with the JSON Schemas instead of the list of parameters.
    Full,
}

impl Detail {
    /// Returns the name used on the command line, in programs and in output: `name`, `brief`, `detailed` or `full`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Brief => "brief",
            Self::Detailed => "detailed",
            Self::Full => "full",
        }
    }
}

impl FromStr for Detail {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name.to_ascii_lowercase().as_str() {
            "name" => Ok(Self::Name),
            "brief" => Ok(Self::Brief),
            "detailed" => Ok(Self::Detailed),
            "full" => Ok(Self::Full),
            _ => Err(Error::invalid(
                format!("`{}` is no level of detail", name.escape_debug()),
                "use `name`, `brief`, `detailed` or `full`",
            )),
        }
    }
}

/// A search query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchQuery {
    /// The words to search for, in any order.
    pub text: String,
    /// How much is returned about each tool. Default: [`Detail::Brief`].
    pub detail: Detail,
    /// Restricts the results to tools with at least one of these tags; upper and lower case are not distinguished.
    /// Default: all tools.
    pub tags: Vec<String>,
    /// Maximum number of tools that are returned. Default: 10. With 0, only the number of matches is returned.
    pub limit: usize,
}

impl SearchQuery {
    /// Creates a query for words, with the defaults for everything else.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), detail: Detail::default(), tags: Vec::new(), limit: 10 }
    }

    /// Sets how much is returned about each tool.
    #[must_use]
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Adds a tag. Results have at least one of the tags of the query.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Sets the maximum number of tools that are returned.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchResults {
    /// The best matches, best first.
    pub tools: Vec<ToolDetails>,
    /// The number of matches, regardless of the limit.
    pub total: usize,
}

impl SearchResults {
    /// Returns a text such as `10 of 57 tools` if the limit left out matches; else `None`.
    #[must_use]
    pub fn annotation(&self) -> Option<String> {
        (self.tools.len() < self.total).then(|| format!("{} of {} tools", self.tools.len(), self.total))
    }
}

/// A tool with the requested amount of detail. Fields that were not requested are `None` or empty.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolDetails {
    /// The name by which programs call the tool.
    pub name: String,
    /// What the tool is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The tags of the tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The parameters, one per line: [`parameters()`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// JSON Schema of the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// JSON Schema of the result, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
}

impl ToolDetails {
    pub(super) fn of(tool: &Tool, detail: Detail) -> Self {
        let mut details = Self { name: tool.name().to_owned(), ..Self::default() };
        if detail >= Detail::Brief {
            details.description = Some(tool.description().to_owned());
            details.tags = tool.tags().to_vec();
        }
        if detail == Detail::Detailed {
            details.parameters = Some(parameters(tool.input_schema()));
        }
        if detail == Detail::Full {
            details.input_schema = Some(tool.input_schema().clone());
            details.output_schema = tool.output_schema().cloned();
        }
        details
    }
}

/// The result of [`Catalog::schemas`](super::Catalog::schemas): details of the tools with given names.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSchemas {
    /// The tools that were found.
    pub tools: Vec<ToolDetails>,
    /// The names that no tool has.
    pub missing: Vec<MissingTool>,
}

/// A name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MissingTool {
    /// The name that was requested.
    pub name: String,
    /// Similar names of tools, best first.
    pub nearest: Vec<String>,
}
