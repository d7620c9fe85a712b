//! Responses: their schemas, and their conversion to values for a program.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    document::{Document, entries},
    limits::ENTRIES,
    media,
    schema::{Schemas, or_null},
};
use isolette_work::{Unread, read_for_call};

/// Maximum number of different result schemas that are combined.
const SHAPES: usize = 4;
/// Maximum number of media types that `Accept` names.
const ACCEPTED: usize = 4;

/// What the document specifies about successful responses.
#[derive(Debug, Default)]
pub(super) struct Described {
    /// The schema of the result, without definitions. `None` if the document specifies none.
    pub(super) schema: Option<Value>,
    /// The value of the header `Accept`.
    pub(super) accept: String,
}

/// Describes the successful responses; `default` if there are none.
pub(super) fn describe<'a>(document: &'a Document, operation: &'a Value, schemas: &mut Schemas<'a>) -> Described {
    let all: Vec<_> = entries(operation.get("responses")).take(ENTRIES).collect();
    let mut successes: Vec<_> = all.iter().filter(|(status, _)| status.starts_with('2')).collect();
    if successes.is_empty() {
        successes = all.iter().filter(|(status, _)| *status == "default").collect();
    }
    let mut shapes: Vec<Value> = Vec::new();
    let mut medias: Vec<&str> = Vec::new();
    let mut empty = false;
    for (_, response) in successes {
        let Ok(response) = document.resolve(response) else {
            continue;
        };
        let mut content: Vec<_> = entries(response.get("content")).take(ENTRIES).collect();
        content.sort_by_key(|(media, _)| !media::is_json(media));
        empty |= content.is_empty();
        medias.extend(content.iter().map(|(media, _)| media.as_str()));
        if let Some((media, content)) = content.first() {
            let shape = match content.get("schema") {
                Some(schema) if media::is_json(media) => schemas.add(schema).unwrap_or_else(|_| json!({})),
                _ if media::is_json(media) => json!({}),
                _ if media::is_text(media) => json!({"type": "string"}),
                _ => bytes_schema(),
            };
            if !shapes.contains(&shape) && shapes.len() < SHAPES {
                shapes.push(shape);
            }
        }
    }
    let open = |shape: &Value| shape.as_object().is_some_and(serde_json::Map::is_empty);
    let schema = match shapes.as_slice() {
        [] if empty => Some(json!({"type": "null"})),
        [] => None,
        shapes if shapes.iter().any(open) => None,
        [shape] if empty => Some(or_null(shape.clone())),
        [shape] => Some(shape.clone()),
        shapes => {
            let mut shapes = shapes.to_vec();
            if empty {
                shapes.push(json!({"type": "null"}));
            }
            Some(json!({"anyOf": shapes}))
        }
    };
    Described { schema, accept: accept(medias) }
}

/// JSON first, then the other types of the document, then any type.
fn accept(mut medias: Vec<&str>) -> String {
    medias.retain(|media| !media.starts_with("*/") && media.bytes().all(|byte| (b' '..0x7f).contains(&byte)));
    medias.sort_by_key(|media| !media::is_json(media));
    medias.dedup();
    let json = medias.first().is_some_and(|media| media::is_json(media));
    let mut parts: Vec<String> = medias
        .iter()
        .take(ACCEPTED)
        .map(|media| if json && !media::is_json(media) { format!("{media};q=0.5") } else { (*media).to_owned() })
        .collect();
    if parts.is_empty() {
        parts.push("application/json".into());
    }
    parts.push("*/*;q=0.1".into());
    parts.join(", ")
}

fn bytes_schema() -> Value {
    json!({
        "type": "object",
        "description": "Bytes",
        "properties": {"base64": {"type": "string"}, "media_type": {"type": "string"}},
        "required": ["base64", "media_type"]
    })
}

/// Converts a body to a value for a program: JSON to its value, text to a string, bytes to an object, an empty body to
/// null.
///
/// # Errors
/// If there is not enough memory for the value, or if a number in the body of a success would lose digits. The body of an
/// error stays text then.
pub(super) fn decode(content_type: Option<&str>, body: Vec<u8>, is_success: bool) -> Result<Value, String> {
    if body.is_empty() {
        return Ok(Value::Null);
    }
    let media = content_type.unwrap_or_default();
    if media.is_empty() || media::is_json(media) {
        match read_for_call(&body) {
            Ok(value) => return Ok(value),
            Err(Unread::NoMemory(why)) => {
                return Err(format!("{why}\nhint: ask for less, such as fewer items a page, or fewer fields"));
            }
            Err(Unread::LostDigits(lost)) if is_success => {
                let hint = "the service has to send such a number as text; http_get returns the response as it is";
                return Err(format!("{}\nhint: {hint}", lost.of("result")));
            }
            Err(Unread::LostDigits(_) | Unread::NoJson) => {}
        }
    }
    Ok(text_or_bytes(media, body))
}

fn text_or_bytes(media: &str, body: Vec<u8>) -> Value {
    // A body that is declared as JSON and is not valid JSON (such as several JSON texts in sequence) is still text.
    if media.is_empty() || media::is_json(media) || media::is_text(media) {
        if matches!(media::parameter(media, "charset").as_deref(), Some("iso-8859-1" | "latin1" | "us-ascii")) {
            return body.iter().copied().map(char::from).collect::<String>().into();
        }
        match String::from_utf8(body) {
            Ok(text) => return text.into(),
            Err(error) => return bytes(media, &error.into_bytes()),
        }
    }
    bytes(media, &body)
}

fn bytes(media: &str, body: &[u8]) -> Value {
    let media = if media.is_empty() { "application/octet-stream" } else { media };
    json!({"base64": STANDARD.encode(body), "media_type": media})
}
