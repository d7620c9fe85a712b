//! A document, and the resolution of its references.
//!
//! It is kept as JSON values. Real documents violate every typed model of OpenAPI somewhere, and a mistake in one
//! operation must not affect another one.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::limits::HOPS;
use isolette_work::values::Reservation;

/// The document with all files that were merged into it.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) root: Value,
    /// Why files could not be merged, by the reference to them or by the key that they would have.
    pub(super) missing: HashMap<String, String>,
    /// Reserved memory for its values.
    pub(super) room: Vec<Reservation>,
}

impl Document {
    /// Follows references until a value that is not a reference.
    pub(super) fn resolve<'a>(&'a self, mut value: &'a Value) -> Result<&'a Value, String> {
        for _ in 0..HOPS {
            match value.get("$ref").and_then(Value::as_str) {
                None => return Ok(value),
                Some(reference) => value = self.find(reference)?,
            }
        }
        Err("a reference leads to another one without end".into())
    }

    /// Returns the target of one reference, which may be a reference itself.
    pub(super) fn find(&self, reference: &str) -> Result<&Value, String> {
        let Some(fragment) = reference.strip_prefix('#') else {
            return Err(match self.missing.get(reference.split('#').next().unwrap_or_default()) {
                Some(reason) => format!("it refers to `{}`: {reason}", shown(reference)),
                None => format!(
                    "it refers to `{}`, which is outside of the document; only files beside a document that is itself \
                     a file are read",
                    shown(reference)
                ),
            });
        };
        let pointer = percent_decode_str(fragment).decode_utf8_lossy();
        self.root.pointer(&pointer).or_else(|| self.root.pointer(fragment)).ok_or_else(|| {
            let place = |place: &str| {
                let rest = fragment.strip_prefix('/')?.strip_prefix(place)?;
                Some(rest.is_empty() || rest.starts_with('/'))
            };
            match self.missing.iter().find(|(missing, _)| place(missing) == Some(true)) {
                Some((_, reason)) => format!("it refers to a file that is not there: {reason}"),
                None => format!("it refers to `{}`, which is not in the document", shown(reference)),
            }
        })
    }

    /// Iterates over the object at a key of the root; there are no entries if it is missing.
    pub(super) fn object(&self, key: &str) -> impl Iterator<Item = (&String, &Value)> {
        entries(self.root.get(key))
    }

    /// Whether the document has version 3.0, which has `nullable` and similar keywords.
    pub(super) fn is_3_0(&self) -> bool {
        match self.root.get("openapi") {
            Some(Value::String(version)) => version.trim().starts_with("3.0"),
            Some(Value::Number(version)) => version.to_string().starts_with("3.0"),
            _ => false,
        }
    }
}

/// The entries of an object; none if the value is not an object.
pub(super) fn entries(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// The elements of an array; none if the value is not an array.
pub(super) fn elements(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// Untrusted text, escaped and short enough for a message.
pub(super) fn shown(text: &str) -> String {
    cut(text, 200).escape_debug().to_string()
}

/// Returns at most this number of bytes, with `…` at the end if the text was truncated.
pub(super) fn cut(text: &str, bytes: usize) -> String {
    let part = &text[..text.floor_char_boundary(bytes)];
    format!("{part}{}", if part.len() < text.len() { "…" } else { "" })
}
