//! Removes the server's secrets from results.
//!
//! Programs do not get these secrets, but a server or tool that they call may repeat them. Every result passes through
//! here; binary content is not changed.

use isolette::Redaction;
use rmcp::model::{CallToolResult, ContentBlock, MetaObject, ResourceContents};
use serde_json::Value;

/// The same result without secrets.
pub(super) fn redacted(mut result: CallToolResult, redaction: &Redaction) -> CallToolResult {
    if redaction.is_empty() {
        return result;
    }
    for block in &mut result.content {
        match block {
            ContentBlock::Text(content) => content.text = redaction.text(&content.text),
            ContentBlock::Resource(embedded) => match &mut embedded.resource {
                ResourceContents::TextResourceContents { uri, text, .. } => {
                    *uri = redaction.text(uri);
                    *text = redaction.text(text);
                }
                ResourceContents::BlobResourceContents { uri, .. } => *uri = redaction.text(uri),
                _ => {}
            },
            _ => {}
        }
    }
    result.structured_content = result.structured_content.map(|structured| redaction.value(structured));
    result.meta = result.meta.map(|MetaObject(fields)| match redaction.value(Value::Object(fields)) {
        Value::Object(fields) => MetaObject(fields),
        _ => MetaObject::default(),
    });
    result
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_part_of_a_result_has_secrets() {
        let result: CallToolResult = serde_json::from_value(json!({
            "content": [
                { "type": "text", "text": "hunter2" },
                { "type": "resource", "resource": { "uri": "isolette:///output/hunter2", "text": "it is hunter2" } },
            ],
            "structuredContent": { "error": { "message": "no to hunter2" } },
            "isError": true,
            "_meta": { "isolette/calls": [{ "target": "https://a/hunter2" }] },
        }))
        .unwrap();
        let text = serde_json::to_string(&redacted(result, &Redaction::new(["hunter2"]))).unwrap();
        assert!(!text.contains("hunter2") && text.matches("[redacted]").count() == 5, "{text}");
    }
}
