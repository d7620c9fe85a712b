//! How a value becomes part of a URL, a header or a form: the styles of OpenAPI.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// Everything but the unreserved characters of RFC 3986.
const VALUE: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// The same, with the reserved characters as they are, except for those that end a value in every place.
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

/// How one value is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Writing {
    pub(super) style: Style,
    pub(super) explode: bool,
    /// Whether reserved characters stay as they are.
    pub(super) reserved: bool,
}

/// Percent-encodes a value.
pub(super) fn encode(text: &str, reserved: bool) -> String {
    utf8_percent_encode(text, if reserved { RESERVED } else { VALUE }).to_string()
}

/// A value without structure, as text. What has structure inside of a list is JSON.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

impl Writing {
    /// What stands for `{name}` in a path, or is the value of a header or a cookie (which is not percent-encoded if
    /// `raw`).
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

/// `name[field]=value`, for as deep as the value goes.
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

/// Null is what is not there.
fn present(fields: &Map<String, Value>) -> impl Iterator<Item = (&String, &Value)> {
    fields.iter().filter(|(_, value)| !value.is_null())
}
