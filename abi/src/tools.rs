//! Functions that the host lends (`wit/tools.wit`).

use alloc::string::String;

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
