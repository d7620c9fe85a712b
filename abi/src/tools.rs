//! Functions that the host lends (`wit/tools.wit`).

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Payload;

/// What a guest does with tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// The reply is `Result<Payload, ToolError>`: the result as JSON.
    Call {
        /// Which tool.
        name: &'a str,
        /// A JSON object.
        #[serde(borrow)]
        arguments: Payload<'a>,
    },
    /// The reply is [`Payload`]: an encoded `Vec<Summary>`.
    List,
    /// The reply is `Result<Payload, ToolError>`: an encoded [`Description`].
    Describe {
        /// Which tool.
        name: &'a str,
    },
    /// The reply is `Result<Payload, ToolError>`: encoded [`SearchResults`].
    Search {
        /// Words, in any order.
        text: &'a str,
        /// How much is told of each tool.
        detail: Detail,
        /// Only tools with one of these; without any, all.
        tags: Vec<&'a str>,
        /// How many tools are told at most.
        limit: u32,
    },
}

/// See `wit/tools.wit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Detail {
    /// Its name.
    Name,
    /// Its name, description and tags.
    Brief,
    /// And its parameters, one a line.
    Detailed,
    /// And its schemas, in place of the lines.
    Full,
}

/// One line of the listing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary<'a> {
    /// What to call it by.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
}

/// All that a guest may know of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description<'a> {
    /// What to call it by.
    pub name: &'a str,
    /// What it is for.
    pub description: &'a str,
    /// JSON Schema of the arguments.
    pub input_schema: &'a str,
    /// JSON Schema of the result.
    pub output_schema: Option<&'a str>,
    /// A typed function in the language of the guest.
    pub declaration: &'a str,
}

/// A tool, as much as a search asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundTool<'a> {
    /// What to call it by.
    pub name: &'a str,
    /// What it is for.
    pub description: Option<&'a str>,
    /// The groups that it is in.
    #[serde(borrow)]
    pub tags: Vec<&'a str>,
    /// Its parameters, one a line.
    pub parameters: Option<&'a str>,
    /// JSON Schema of the arguments.
    pub input_schema: Option<&'a str>,
    /// JSON Schema of the result.
    pub output_schema: Option<&'a str>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchResults<'a> {
    /// Best first.
    #[serde(borrow)]
    pub tools: Vec<FoundTool<'a>>,
    /// How many there are besides the limit.
    pub total: u32,
}

/// Why a call brought no result; each with a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToolError {
    /// There is no such tool.
    UnknownTool(String),
    /// The arguments do not fit the schema.
    InvalidArguments(String),
    /// The tool ran and failed.
    Failed(String),
    /// The policy refused.
    Denied(String),
    /// The run has used up what it was given.
    Budget(String),
}
