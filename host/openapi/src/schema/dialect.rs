//! Differences between the schemas of a document and JSON Schema: the notation of OpenAPI 3.0, and the direction of
//! values.

use serde_json::{Map, Value, json};

use super::super::document::{entries, flag};

/// The direction of values: properties that a service only sends are not part of arguments, and properties that it only
/// accepts are not part of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Request,
    Response,
}

/// How the schemas of a document are interpreted.
#[derive(Clone, Copy)]
pub(super) struct Dialect {
    pub(super) is_3_0: bool,
    pub(super) direction: Direction,
    /// Whether a string of bytes is a file.
    pub(super) files: bool,
}

impl Dialect {
    /// Whether a property belongs only to the other direction.
    pub(super) fn hides(self, schema: &Value) -> bool {
        match self.direction {
            Direction::Request => flag(schema, "readOnly"),
            Direction::Response => flag(schema, "writeOnly"),
        }
    }

    /// Completes the JSON Schema in `result`, whose other keywords were copied from `fields`.
    pub(super) fn translated(self, fields: &Map<String, Value>, mut result: Map<String, Value>) -> Value {
        limits(fields, &mut result);
        self.visible(fields, &mut result);
        flatten(&mut result);
        if self.is_3_0 && fields.get("nullable") == Some(&Value::Bool(true)) {
            return nullable(result);
        }
        Value::Object(result)
    }

    /// A hidden property cannot be required.
    fn visible(self, fields: &Map<String, Value>, result: &mut Map<String, Value>) {
        let hidden: Vec<&String> =
            entries(fields.get("properties")).filter(|(_, schema)| self.hides(schema)).map(|(name, _)| name).collect();
        if let (Some(Value::Array(required)), false) = (result.get_mut("required"), hidden.is_empty()) {
            required.retain(|name| !hidden.iter().any(|hidden| name.as_str() == Some(hidden)));
        }
        if result.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            result.remove("required");
        }
    }
}

/// Converts `exclusiveMinimum: true` of 3.0.
fn limits(fields: &Map<String, Value>, result: &mut Map<String, Value>) {
    for (exclusive, limit) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
        if fields.get(exclusive) == Some(&Value::Bool(true))
            && let Some(value) = result.remove(limit)
        {
            result.insert(exclusive.into(), value);
        }
    }
}

/// Converts `nullable: true` of 3.0.
fn nullable(mut result: Map<String, Value>) -> Value {
    if let Some(Value::Array(values)) = result.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    match result.get("type").cloned() {
        Some(kind @ Value::String(_)) => drop(result.insert("type".into(), json!([kind, "null"]))),
        Some(_) => {}
        None if ["$ref", "allOf", "anyOf", "oneOf"].iter().any(|key| result.contains_key(*key)) => {
            let description = result.remove("description");
            let mut either = json!({"anyOf": [result, {"type": "null"}]});
            if let (Some(description), Some(fields)) = (description, either.as_object_mut()) {
                fields.insert("description".into(), description);
            }
            return either;
        }
        None => {}
    }
    Value::Object(result)
}

/// An `allOf` with a single reference is equivalent to the reference: 3.0 needs it to put a description beside one.
fn flatten(result: &mut Map<String, Value>) {
    let Some(Value::Array(parts)) = result.get("allOf") else {
        return;
    };
    if let [Value::Object(part)] = parts.as_slice()
        && !result.contains_key("$ref")
        && part.keys().all(|key| key == "$ref")
        && let Some(reference) = part.get("$ref").cloned()
    {
        result.remove("allOf");
        result.insert("$ref".into(), reference);
    }
}
