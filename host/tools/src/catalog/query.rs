//! What is asked of a catalogue, and what it answers.

use std::str::FromStr;

use serde::Serialize;
use serde_json::Value;

use super::parameters;
use crate::Tool;
use isolette_types::Error;

/// How much of a tool is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Detail {
    /// Its name.
    Name,
    /// Its name, description and tags.
    #[default]
    Brief,
    /// And its parameters, as a list to read.
    Detailed,
    /// And its JSON Schemas, in place of the list.
    Full,
}

impl Detail {
    /// The name on the command line, in programs and in output.
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

/// What to search for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchQuery {
    /// Words, in any order.
    pub text: String,
    /// How much is told of each tool. Default: [`Detail::Brief`].
    pub detail: Detail,
    /// Only tools with one of these tags, whatever their capitals. Default: all tools.
    pub tags: Vec<String>,
    /// How many tools are told at most. Default: 10. With 0, only their number.
    pub limit: usize,
}

impl SearchQuery {
    /// Searches for words, with the defaults otherwise.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), detail: Detail::default(), tags: Vec::new(), limit: 10 }
    }

    /// Sets how much is told of each tool.
    #[must_use]
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// Adds a tag.
    #[must_use]
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Sets how many tools are told at most.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SearchResults {
    /// The best ones, best first.
    pub tools: Vec<ToolDetails>,
    /// How many there are besides the limit.
    pub total: usize,
}

impl SearchResults {
    /// `10 of 57 tools`, if some were left out.
    #[must_use]
    pub fn annotation(&self) -> Option<String> {
        (self.tools.len() < self.total).then(|| format!("{} of {} tools", self.tools.len(), self.total))
    }
}

/// A tool, as much as was asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolDetails {
    /// What to call it by.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The groups that it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Its parameters, one a line: [`parameters()`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameters: Option<String>,
    /// JSON Schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_schema: Option<Value>,
    /// JSON Schema of its result, where that is known.
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

/// All about some tools.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolSchemas {
    /// Those that there are.
    pub tools: Vec<ToolDetails>,
    /// Those that there are not.
    pub missing: Vec<MissingTool>,
}

/// A name that no tool has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MissingTool {
    /// What was asked for.
    pub name: String,
    /// Names that are nearly this one, best first.
    pub nearest: Vec<String>,
}
