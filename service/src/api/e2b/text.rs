//! Texts for E2B's clients, which have no bytes in output and show values as a notebook does.

use isolette::json_lines::json_line;
use serde_json::Value;

/// Decodes output that comes in parts, which may end within a character. Bytes that are no text become U+FFFD.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    begun: Vec<u8>,
}

impl Decoder {
    pub(super) fn decode(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let complete = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(_) => self.begun.len() - unfinished(&self.begun),
        };
        let rest = self.begun.split_off(complete);
        String::from_utf8_lossy(&std::mem::replace(&mut self.begun, rest)).into_owned()
    }

    /// The incomplete character that remains at the end.
    pub(super) fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.begun)).into_owned()
    }
}

/// Adds a value as a line.
pub(super) fn line(lines: &mut Vec<u8>, value: &Value) {
    lines.extend_from_slice(json_line(value).unwrap_or_default().as_bytes());
    lines.push(b'\n');
}

/// The length of the beginning of a character at the end.
fn unfinished(bytes: &[u8]) -> usize {
    (1..=bytes.len().min(3))
        .find(|&length| {
            let tail = &bytes[bytes.len() - length..];
            std::str::from_utf8(tail).is_err_and(|error| error.error_len().is_none() && error.valid_up_to() == 0)
        })
        .unwrap_or(0)
}

/// A value as a notebook shows it.
pub(super) fn shown(value: &Value, is_exact: bool, is_python: bool) -> String {
    match value {
        // It is the text of a value that JSON cannot express.
        Value::String(text) if !is_exact => text.clone(),
        value if is_python => {
            let mut text = String::new();
            write_python(value, &mut text);
            text
        }
        value => value.to_string(),
    }
}

/// Writes JSON as an expression of Python.
fn write_python(value: &Value, text: &mut String) {
    let separate = |text: &mut String, index: usize| {
        if index > 0 {
            text.push_str(", ");
        }
    };
    match value {
        Value::Null => text.push_str("None"),
        Value::Bool(true) => text.push_str("True"),
        Value::Bool(false) => text.push_str("False"),
        Value::Number(number) => text.push_str(&number.to_string()),
        Value::String(string) => write_string(string, text),
        Value::Array(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                separate(text, index);
                write_python(value, text);
            }
            text.push(']');
        }
        Value::Object(entries) => {
            text.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                separate(text, index);
                write_string(key, text);
                text.push_str(": ");
                write_python(value, text);
            }
            text.push('}');
        }
    }
}

fn write_string(string: &str, text: &mut String) {
    let quote = if string.contains('\'') && !string.contains('"') { '"' } else { '\'' };
    text.push(quote);
    for character in string.chars() {
        match character {
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            character if character == quote => text.extend(['\\', quote]),
            character if (character as u32) < 0x20 || character as u32 == 0x7f => {
                text.push_str(&format!("\\x{:02x}", character as u32));
            }
            other => text.push(other),
        }
    }
    text.push(quote);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_shown_as_python_shows_them() {
        let value = json!({ "a": [1, 2.5, true, null, "it's", "both '\"", "line\n"] });
        assert_eq!(shown(&value, true, true), r#"{'a': [1, 2.5, True, None, "it's", 'both \'"', 'line\n']}"#);
        assert_eq!(shown(&json!("<object>"), false, true), "<object>");
        assert_eq!(shown(&json!("text"), true, true), "'text'");
        assert_eq!(shown(&json!([true]), true, false), "[true]");
    }

    #[test]
    fn text_that_is_cut_anywhere_is_the_same() {
        let text = "a\u{e9}\u{20ac}\u{1f600}z";
        for cut in 0..=text.len() {
            let (one, other) = text.as_bytes().split_at(cut);
            let mut decoder = Decoder::default();
            assert_eq!(decoder.decode(one) + &decoder.decode(other) + &decoder.rest(), text, "{cut}");
        }
        let mut decoder = Decoder::default();
        assert_eq!(decoder.decode(b"a\xff\xc3"), "a\u{fffd}");
        assert_eq!(decoder.rest(), "\u{fffd}");
    }
}
