//! Schemas of binary data.

use serde_json::{Value, json};

use super::{document::text, media};

/// The schema of an argument that may be bytes. A response that consists of bytes has the same form.
pub(super) fn file() -> Value {
    json!({
        "description": "Text, or an object with the bytes in base64",
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "properties": {
                    "base64": {"type": "string", "description": "The bytes"},
                    "text": {"type": "string", "description": "The text, instead of `base64`"},
                    "filename": {"type": "string"},
                    "media_type": {"type": "string", "description": "Such as image/png"}
                },
                "additionalProperties": false
            }
        ]
    })
}

/// Whether a schema describes bytes, in the notation of OpenAPI 3.0 or of 3.1.
pub(super) fn is_binary(schema: &Value) -> bool {
    matches!(text(schema, "format"), Some("binary"))
        || (text(schema, "contentMediaType").is_some_and(|media| !media::is_json(media) && !media::is_text(media))
            && schema.get("contentEncoding").is_none())
}
