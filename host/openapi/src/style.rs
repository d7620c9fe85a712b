//! Serializes values in URLs, headers and forms: the styles of OpenAPI.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// Everything except the unreserved characters of RFC 3986.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The same, without the reserved characters, except for those that end a value in any location.
const RESERVED: &AsciiSet = &VALUE
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Matrix,
    Label,
    Simple,
    Form,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
}

impl Style {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "matrix" => Self::Matrix,
            "label" => Self::Label,
            "simple" => Self::Simple,
            "form" => Self::Form,
            "spaceDelimited" => Self::SpaceDelimited,
            "pipeDelimited" => Self::PipeDelimited,
            "deepObject" => Self::DeepObject,
            _ => return None,
        })
    }
}

/// How one value is serialized.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writing {
    pub(super) style: Style,
    pub(super) explode: bool,
    /// Whether reserved characters are not encoded.
    pub(super) reserved: bool,
}

/// Percent-encodes a value.
pub(super) fn encode(text: &str, reserved: bool) -> String {
    utf8_percent_encode(text, if reserved { RESERVED } else { VALUE }).to_string()
}

/// A scalar value as text. Structured values inside of a list are JSON.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

impl Writing {
    /// The text that replaces `{name}` in a path, or is the value of a header or a cookie (which is not percent-encoded
    /// if `raw`).
    pub(super) fn expand(self, name: &str, value: &Value, raw: bool) -> String {
        let one = |value: &Value| if raw { scalar(value) } else { encode(&scalar(value), self.reserved) };
        let key = |key: &str| if raw { key.to_owned() } else { encode(key, false) };
        let (start, separator) = match (self.style, self.explode) {
            (Style::Label, true) => (".", "."),
            (Style::Label, false) => (".", ","),
            (Style::Matrix, true) => (";", ";"),
            (Style::Matrix, false) => (";", ","),
            _ => ("", ","),
        };
        let matrix = self.style == Style::Matrix;
        let text = match value {
            Value::Array(values) if matrix && self.explode => {
                values.iter().map(|value| format!("{}={}", key(name), one(value))).collect::<Vec<_>>().join(separator)
            }
            Value::Array(values) => values.iter().map(one).collect::<Vec<_>>().join(separator),
            Value::Object(fields) => present(fields)
                .map(|(field, value)| match self.explode {
                    true => format!("{}={}", key(field), one(value)),
                    false => format!("{},{}", key(field), one(value)),
                })
                .collect::<Vec<_>>()
                .join(separator),
            value => one(value),
        };
        match value {
            _ if matrix && !(self.explode && (value.is_array() || value.is_object())) => match text.as_str() {
                "" => format!(";{}", key(name)),
                text => format!(";{}={text}", key(name)),
            },
            _ => format!("{start}{text}"),
        }
    }

    /// The pairs of a query or a form, percent-encoded.
    pub(super) fn pairs(self, name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
        let one = |value: &Value| encode(&scalar(value), self.reserved);
        let key = encode(name, false);
        let separator = match self.style {
            Style::SpaceDelimited => "%20",
            Style::PipeDelimited => "%7C",
            _ => ",",
        };
        match value {
            Value::Null => {}
            Value::Array(values) if values.is_empty() => {}
            value if self.style == Style::DeepObject => deep(&key, value, self.reserved, pairs),
            Value::Array(values) if self.explode => pairs.extend(values.iter().map(|value| (key.clone(), one(value)))),
            Value::Array(values) => pairs.push((key, values.iter().map(one).collect::<Vec<_>>().join(separator))),
            Value::Object(fields) if self.explode => {
                pairs.extend(present(fields).map(|(field, value)| (encode(field, false), one(value))));
            }
            Value::Object(fields) => {
                let parts: Vec<_> =
                    present(fields).flat_map(|(field, value)| [encode(field, false), one(value)]).collect();
                pairs.push((key, parts.join(separator)));
            }
            value => pairs.push((key, one(value))),
        }
    }
}

/// Writes `name[field]=value` for all levels of the value.
fn deep(key: &str, value: &Value, reserved: bool, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                deep(&format!("{key}[{index}]"), value, reserved, pairs);
            }
        }
        Value::Object(fields) => {
            for (field, value) in present(fields) {
                deep(&format!("{key}[{}]", encode(field, false)), value, reserved, pairs);
            }
        }
        value => pairs.push((key.to_owned(), encode(&scalar(value), reserved))),
    }
}

/// The fields that are not null. Null means that a field is absent.
fn present(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    fields.iter().filter(|(_, value)| !value.is_null())
}
