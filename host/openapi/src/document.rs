//! A document, and what its references lead to.
//!
//! It stays what it was: JSON values. Real documents break every typed model of OpenAPI somewhere, and an operation shall
//! not be lost for a mistake in another one.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::limits::HOPS;
use isolette_work::values::Reservation;

/// The document with everything that belongs to it.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) root: Value,
    /// Why files could not become part of it, by the reference to them or by the place where they would be.
    pub(super) missing: HashMap<String, String>,
    /// Memory for its values.
    pub(super) room: Vec<Reservation>,
}

impl Document {
    /// The value, or what it refers to in the end.
    pub(super) fn resolve<'a>(&'a self, mut value: &'a Value) -> Result<&'a Value, String> {
        for _ in 0..HOPS {
            match value.get("$ref").and_then(Value::as_str) {
                None => return Ok(value),
                Some(reference) => value = self.find(reference)?,
            }
        }
        Err("a reference leads to another one without end".into())
    }

    /// What one reference leads to, which may be another one.
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

    /// The object at a key of the root; an empty one if there is none.
    pub(super) fn object(&self, key: &str) -> impl Iterator<Item = (&String, &Value)> {
        entries(self.root.get(key))
    }

    /// Whether `nullable` and its like are still spoken.
    pub(super) fn is_3_0(&self) -> bool {
        match self.root.get("openapi") {
            Some(Value::String(version)) => version.trim().starts_with("3.0"),
            Some(Value::Number(version)) => version.to_string().starts_with("3.0"),
            _ => false,
        }
    }
}

/// The entries of an object. What is none has none.
pub(super) fn entries(value: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    value.and_then(Value::as_object).into_iter().flat_map(Map::iter)
}

/// The elements of an array. What is none has none.
pub(super) fn elements(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

pub(super) fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// A stranger's text, short enough for a message.
pub(super) fn shown(text: &str) -> String {
    cut(text, 200).escape_debug().to_string()
}

/// At most so many bytes, with a mark where some are missing.
pub(super) fn cut(text: &str, bytes: usize) -> String {
    let part = &text[..text.floor_char_boundary(bytes)];
    format!("{part}{}", if part.len() < text.len() { "…" } else { "" })
}
