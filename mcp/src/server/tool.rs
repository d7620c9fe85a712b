//! Builds the definition of a tool from its parts.

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
