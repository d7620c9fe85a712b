//! The parts of the definition of a tool.

use std::borrow::Cow;

use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use super::handler::object;

/// A tool that accepts these arguments and no others.
pub(super) fn tool(
    name: &'static str,
    title: &str,
    description: impl Into<Cow<'static, str>>,
    properties: Map<String, Value>,
    required: &[&str],
    output: Value,
) -> Tool {
    let input = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    Tool::new(name, description, object(input)).with_title(title).with_raw_output_schema(object(output))
}

/// The schema of a text.
pub(super) fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// Parameters, with the handle of a sandbox first.
pub(super) fn with_handle<const N: usize>(properties: [(&str, Value); N]) -> Map<String, Value> {
    let handle = ("sandbox_id", text("The handle that create_sandbox returned."));
    std::iter::once(handle).chain(properties).map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// The schema of what a client gets about a sandbox.
pub(super) fn handle_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "sandbox_id": { "type": "string" },
            "language": { "type": "string" },
            "expires_in_s": { "type": "integer", "description": "Seconds until it ends unless it is used." },
        },
        "required": ["sandbox_id", "language", "expires_in_s"],
    })
}
