//! Functions that the host provides to the guest (`wit/tools.wit`).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Payload;

/// A call that concerns tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// Calls a tool. The reply is `Result<Payload, ToolError>`: the result as JSON.
    Call {
        /// The name of the tool.
        name: &'a str,
        /// The arguments as a JSON object.
        #[serde(borrow)]
        arguments: Payload<'a>,
        /// The line of the program that makes the call, from 1; 0 if it is not known.
        line: u32,
    },
    /// Lists the tools that the run may call. The reply is [`Payload`]: an encoded `Vec<Summary>`.
    List,
    /// Describes one tool. The reply is `Result<Payload, ToolError>`: an encoded [`Description`].
    Describe {
        /// The name of the tool.
        name: &'a str,
    },
    /// Searches the tools that the run may call. The reply is `Result<Payload, ToolError>`: encoded [`SearchResults`].
    Search {
        /// Search words in any order. If empty, every tool matches.
        text: &'a str,
        /// How much the host returns about each tool.
        detail: Detail,
        /// Restricts the search to tools with at least one of these tags. If empty, the search covers all tools.
        tags: Vec<&'a str>,
        /// The maximum number of tools to return.
        limit: u32,
    },
}

/// How much a search returns about each tool (`wit/tools.wit`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Detail {
    /// The name.
    Name,
    /// The name, description and tags.
    Brief,
    /// As `Brief`, and one line for each parameter.
    Detailed,
    /// As `Brief`, and the JSON Schemas.
    Full,
}

/// One entry of the list of tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// The purpose of the tool. May be empty.
    pub description: &'a str,
}

/// Everything that the guest may know about one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// The purpose of the tool. May be empty.
    pub description: &'a str,
    /// JSON Schema of the arguments object.
    pub input_schema: &'a str,
    /// JSON Schema of the result.
    pub output_schema: Option<&'a str>,
    /// The signature of the tool and the types that it uses, in the language of the guest.
    pub declaration: &'a str,
}

/// One match of a search. The optional fields depend on the [`Detail`] of the search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTool<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// The purpose of the tool. May be empty.
    pub description: Option<&'a str>,
    /// The tags of the tool.
    #[serde(borrow)]
    pub tags: Vec<&'a str>,
    /// One line for each parameter.
    pub parameters: Option<&'a str>,
    /// JSON Schema of the arguments object.
    pub input_schema: Option<&'a str>,
    /// JSON Schema of the result.
    pub output_schema: Option<&'a str>,
}

/// The matches of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResults<'a> {
    /// Best match first.
    #[serde(borrow)]
    pub tools: Vec<FoundTool<'a>>,
    /// The number of matches, including those beyond the limit.
    pub total: u32,
}

/// Why a call returned no result. Each case carries a human-readable message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolError {
    /// The tool does not exist.
    UnknownTool(String),
    /// The arguments do not match the schema. The tool was not run.
    InvalidArguments(String),
    /// The tool ran and failed.
    Failed(String),
    /// The policy denied the call. The tool was not run.
    Denied(String),
    /// The run has used up a budget. The tool was not run.
    Budget(String),
}
