//! Converts the result of a call of another server's tool into a value or an exception.

use isolette::values::{LostDigits, ReadError, read_json, reserve_for_call, value_bytes};
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use serde_json::Value;

use crate::measured;

/// Maximum size of a result as JSON, in bytes. It has to fit into the payloads that the host keeps for a guest.
const RESULT_LIMIT: usize = 8 << 20;

/// Maximum length of an error in characters.
const ERROR_LIMIT: usize = 4_000;

/// Converts a response. An error becomes an exception; structured content is the value; text alone is parsed as JSON,
/// or else is the value as it is; any other content is returned as a list of content blocks.
pub(super) fn value(response: CallToolResponse) -> Result<Value, String> {
    let result = match response {
        CallToolResponse::Complete(result) => result,
        CallToolResponse::InputRequired(_) => {
            return Err("the server asks a person for something, and a program cannot answer".into());
        }
        _ => return Err("the server answers later, and a program cannot wait for that".into()),
    };
    if result.is_error == Some(true) {
        return Err(error(&result));
    }
    let value = match result.structured_content {
        Some(structured) => {
            let text = structured.to_string();
            reserve_for_call(value_bytes(text.as_bytes()))
                .map_err(|why| measured::refusal("the result", &why.into()))?;
            structured
        }
        None => match text(&result.content) {
            Some(text) => {
                reserve_for_call(value_bytes(text.as_bytes()))
                    .map_err(|why| measured::refusal("the result", &why.into()))?;
                match read_json(text.as_bytes()) {
                    Ok(value) => value,
                    // A text that is a number as a whole keeps its digits as text.
                    Err(ReadError::LostDigits(lost)) if !lost.place.is_empty() => {
                        return Err(format!(
                            "the result was not read: {}\nhint: {}",
                            lost.of("result"),
                            LostDigits::HINT
                        ));
                    }
                    Err(_) => Value::String(text),
                }
            }
            None => {
                let text = serde_json::to_vec(&result.content).map_err(|error| error.to_string())?;
                reserve_for_call(value_bytes(&text)).map_err(|why| measured::refusal("the result", &why.into()))?;
                serde_json::from_slice(&text).map_err(|error| error.to_string())?
            }
        },
    };
    let length = value.to_string().len();
    if length > RESULT_LIMIT {
        return Err(format!(
            "the result is {length} bytes, the limit is {RESULT_LIMIT}\nhint: ask the tool for less at a time"
        ));
    }
    Ok(value)
}

/// Returns the joined text if all blocks are text.
fn text(content: &[ContentBlock]) -> Option<String> {
    let texts: Option<Vec<&str>> = content.iter().map(|block| block.as_text().map(|text| text.text.as_str())).collect();
    texts.map(|texts| texts.join("\n"))
}

fn error(result: &CallToolResult) -> String {
    let texts: Vec<&str> =
        result.content.iter().filter_map(|block| block.as_text().map(|text| text.text.as_str())).collect();
    let mut text = texts.join("\n");
    if text.is_empty() {
        text = result.structured_content.as_ref().map_or_else(|| "the tool failed".into(), Value::to_string);
    }
    match text.char_indices().nth(ERROR_LIMIT) {
        Some((end, _)) => format!("{}… ({} bytes more)", &text[..end], text.len() - end),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(result: Value) -> Result<Value, String> {
        value(CallToolResponse::Complete(serde_json::from_value(result).unwrap()))
    }

    #[test]
    fn results_are_unwrapped_in_order() {
        let text = |text: &str| json!({ "type": "text", "text": text });
        assert_eq!(of(json!({ "content": [text("no")], "structuredContent": {"a": 1} })), Ok(json!({"a": 1})));
        assert_eq!(of(json!({ "content": [text("[1, 2]")] })), Ok(json!([1, 2])));
        assert_eq!(of(json!({ "content": [text("a"), text("b")] })), Ok(json!("a\nb")));
        let number = "100000000000000000001";
        assert_eq!(of(json!({ "content": [text(number)] })), Ok(json!(number)));
        let lost = of(json!({ "content": [text(&format!("[{number}]"))] })).unwrap_err();
        assert!(lost.contains("`result[0]` is 100000000000000000001, "), "{lost}");
        assert_eq!(of(json!({ "content": [] })), Ok(json!("")));
        let image = json!({ "type": "image", "data": "AAAA", "mimeType": "image/png" });
        assert_eq!(of(json!({ "content": [image] })), Ok(json!([image])));
        assert_eq!(
            of(json!({ "content": [text("it broke")], "structuredContent": {"a": 1}, "isError": true })),
            Err("it broke".into())
        );
        assert_eq!(of(json!({ "content": [], "isError": true })), Err("the tool failed".into()));
    }

    #[test]
    fn what_is_too_long_is_refused_or_cut() {
        let long = "x".repeat(RESULT_LIMIT);
        let text = of(json!({ "content": [{ "type": "text", "text": long }] })).unwrap_err();
        assert!(text.contains("the limit is 8388608"), "{text}");
        let text = of(json!({ "content": [{ "type": "text", "text": "é".repeat(5_000) }], "isError": true }));
        assert!(text.unwrap_err().ends_with("… (2000 bytes more)"));
    }

    #[test]
    fn blocks_that_are_no_text_are_counted_too() {
        let resource = json!({ "type": "resource_link", "uri": "file:///a", "name": "" });
        let text = of(json!({ "content": vec![resource; 200_000] })).unwrap_err();
        assert!(text.starts_with("the result was not read: it would take "), "{text}");
    }

    #[test]
    fn texts_that_would_become_too_many_values_are_refused_unread() {
        let many = format!("[{}1]", "1,".repeat(2_000_000));
        let text = of(json!({ "content": [{ "type": "text", "text": many }] })).unwrap_err();
        assert!(text.starts_with("the result was not read: it would take "), "{text}");
    }
}
