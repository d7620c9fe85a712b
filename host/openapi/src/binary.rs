//! Schemas of bytes.

use serde_json::{Value, json};

use super::{document::text, media};

/// The schema of something that may be bytes. An answer that is bytes comes in the same form.
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

/// Bytes, in the words of 3.0 and of 3.1.
pub(super) fn is_binary(schema: &Value) -> bool {
    matches!(text(schema, "format"), Some("binary"))
        || (text(schema, "contentMediaType").is_some_and(|media| !media::is_json(media) && !media::is_text(media))
            && schema.get("contentEncoding").is_none())
}
