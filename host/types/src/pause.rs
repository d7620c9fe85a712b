//! Calls for whose answers a program waits, and their answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call of a deferred tool, which waits for an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PausedCall {
    /// The number of the call in its run, by which it is answered.
    pub id: u64,
    /// The name of the tool.
    pub tool: String,
    /// The arguments, which fit the schema of the tool.
    pub arguments: Value,
}

impl PausedCall {
    /// Makes a call.
    #[must_use]
    pub fn new(id: u64, tool: String, arguments: Value) -> Self {
        Self { id, tool, arguments }
    }
}

/// The answer to a call of a deferred tool. As JSON: `{"value": …}` or `{"error": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The result of the tool. It is compared with the tool's output schema as any result is.
    Value(Value),
    /// The call fails with this message: the program gets a `ToolError`.
    Error(String),
}
