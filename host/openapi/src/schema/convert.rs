//! Converts one OpenAPI schema to JSON Schema 2020-12 and leaves its references unchanged.
//!
//! Only keywords of JSON Schema are kept, and only with valid values: mistakes in a document are left out instead of
//! making a tool unusable. The dialect converts the keywords that only OpenAPI has.

use serde_json::{Map, Value, json};

use super::super::{
    binary::{file, is_binary},
    document::{cut, flag, text},
};
use super::{dialect::Dialect, patterns::Patterns};

/// Maximum length in bytes of a title, a format and similar texts.
const WORD: usize = 200;
/// Maximum number of values of an enumeration. A longer one is described by its first values, and checked only by the
/// service.
const ENUMERATION: usize = 400;
/// Maximum approximate size in bytes of a default or an example.
const SAMPLE: usize = 300;

const TYPES: [&str; 7] = ["null", "boolean", "object", "array", "number", "string", "integer"];

/// Why a conversion ended early: the size limit was hit.
pub(super) enum Stop {
    Full,
}

pub(super) struct Conversion<'a> {
    dialect: Dialect,
    patterns: &'a Patterns,
    /// Number of regular expressions that may still be included.
    pub(super) patterns_remaining: usize,
    depth: usize,
    /// Maximum length in bytes of the description of a field.
    words: usize,
    room: usize,
    pub(super) spent: usize,
    pub(super) references: Vec<&'a str>,
}

impl<'a> Conversion<'a> {
    pub(super) fn new(dialect: Dialect, patterns: &'a Patterns, (depth, words): (usize, usize), room: usize) -> Self {
        Self { dialect, patterns, patterns_remaining: 0, depth, words, room, spent: 0, references: Vec::new() }
    }

    pub(super) fn schema(&mut self, schema: &'a Value, depth: usize) -> Result<Value, Stop> {
        self.spend(8)?;
        let Value::Object(fields) = schema else {
            return Ok(match schema {
                Value::Bool(false) => Value::Bool(false),
                _ => json!({}),
            });
        };
        if depth >= self.depth {
            let open = open(schema, self.words.min(100));
            self.spend(length(&open, usize::MAX))?;
            return Ok(open);
        }
        if self.dialect.files && is_binary(schema) {
            self.spend(300)?;
            return Ok(file());
        }
        let mut result = Map::new();
        if let Some(reference) = fields.get("$ref").and_then(Value::as_str) {
            self.spend(reference.len().min(80))?;
            self.references.push(reference);
            result.insert("$ref".into(), reference.into());
            if self.dialect.is_3_0 {
                // The standard ignores keywords beside a reference, but authors still put descriptions there.
                self.note(fields, "description", &mut result)?;
                return Ok(Value::Object(result));
            }
        }
        self.types(fields, &mut result);
        for (key, value) in fields {
            self.keyword(key, value, depth, &mut result)?;
        }
        Ok(self.dialect.translated(fields, result))
    }

    fn is_pattern(&mut self, text: &str) -> bool {
        let fine = self.patterns_remaining > 0 && self.patterns.allow(text);
        self.patterns_remaining -= usize::from(fine);
        fine
    }

    fn spend(&mut self, bytes: usize) -> Result<(), Stop> {
        self.spent += bytes;
        if self.spent > self.room { Err(Stop::Full) } else { Ok(()) }
    }

    fn keyword(
        &mut self,
        key: &'a str,
        value: &'a Value,
        depth: usize,
        result: &mut Map<String, Value>,
    ) -> Result<(), Stop> {
        let converted = match (key, value) {
            ("title" | "format" | "contentMediaType" | "contentEncoding" | "pattern", Value::String(text)) => {
                self.spend(text.len())?;
                // An invalid expression would make the whole tool unusable.
                if key == "pattern" && !self.is_pattern(text) {
                    return Ok(());
                }
                Some(Value::String(if key == "pattern" { text.clone() } else { cut(text, WORD) }))
            }
            ("description", Value::String(text)) => {
                let text = cut(text.trim(), self.words);
                self.spend(text.len())?;
                if self.words == 0 {
                    return Ok(());
                }
                // The description of a long enumeration is already set.
                result.entry(key).or_insert(Value::String(text));
                None
            }
            ("enum", Value::Array(values)) => self.enumeration(values, result)?,
            ("const" | "default", value) => self.sample(value)?,
            ("example", value) => {
                if let Some(value) = self.sample(value)? {
                    result.insert("examples".into(), json!([value]));
                }
                None
            }
            ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", Value::Number(_)) => Some(value.clone()),
            ("multipleOf", Value::Number(number)) => {
                number.as_f64().filter(|number| *number > 0.0).map(|_| value.clone())
            }
            (
                "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties" | "minContains"
                | "maxContains",
                Value::Number(number),
            ) => number.as_u64().map(Value::from),
            ("uniqueItems" | "deprecated" | "readOnly" | "writeOnly", Value::Bool(true)) => Some(value.clone()),
            ("required", Value::Array(names)) => {
                let names: Vec<_> = names.iter().filter(|name| name.is_string()).cloned().collect();
                self.spend(names.len() * 12)?;
                (!names.is_empty()).then(|| Value::Array(unique(names)))
            }
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                let schemas =
                    schemas.iter().map(|schema| self.schema(schema, depth + 1)).collect::<Result<Vec<_>, _>>()?;
                (!schemas.is_empty()).then_some(Value::Array(schemas))
            }
            (
                "items"
                | "additionalProperties"
                | "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "unevaluatedProperties"
                | "unevaluatedItems",
                Value::Object(_) | Value::Bool(_),
            ) => Some(match value {
                Value::Bool(allowed) => Value::Bool(*allowed),
                schema => self.schema(schema, depth + 1)?,
            }),
            ("properties" | "dependentSchemas" | "patternProperties", Value::Object(schemas)) => {
                let mut converted = Map::new();
                for (name, schema) in schemas {
                    if (key == "patternProperties" && !self.is_pattern(name))
                        || (key == "properties" && self.dialect.hides(schema))
                    {
                        continue;
                    }
                    self.spend(name.len() + 4)?;
                    converted.insert(name.clone(), self.schema(schema, depth + 1)?);
                }
                Some(Value::Object(converted))
            }
            _ => None,
        };
        if let Some(converted) = converted {
            self.spend(key.len() + 4)?;
            result.insert(key.into(), converted);
        }
        Ok(())
    }

    /// Keeps only types that exist. 3.0 allows one, 3.1 any number.
    fn types(&self, fields: &Map<String, Value>, result: &mut Map<String, Value>) {
        let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
        match fields.get("type") {
            Some(value @ Value::String(_)) if known(value) => {
                result.insert("type".into(), value.clone());
            }
            Some(Value::Array(types)) => {
                let types: Vec<_> = unique(types.iter().filter(|value| known(value)).cloned().collect());
                if !types.is_empty() {
                    result.insert("type".into(), Value::Array(types));
                }
            }
            _ => {}
        }
    }

    fn enumeration(&mut self, values: &[Value], result: &mut Map<String, Value>) -> Result<Option<Value>, Stop> {
        if values.len() > ENUMERATION {
            let first: Vec<String> = values.iter().take(10).map(|value| cut(&value.to_string(), 40)).collect();
            let text = format!("One of {} values, such as {}", values.len(), first.join(", "));
            self.spend(text.len())?;
            result.insert("description".into(), text.into());
            return Ok(None);
        }
        let mut kept = Vec::new();
        for value in values {
            let Some(value) = self.sample(value)? else {
                return Ok(None);
            };
            kept.push(value);
        }
        let kept = unique(kept);
        Ok((!kept.is_empty()).then_some(Value::Array(kept)))
    }

    /// The value, if it is short.
    fn sample(&mut self, value: &Value) -> Result<Option<Value>, Stop> {
        let length = length(value, SAMPLE);
        if length > SAMPLE {
            return Ok(None);
        }
        self.spend(length)?;
        Ok(Some(value.clone()))
    }

    fn note(&mut self, fields: &Map<String, Value>, key: &str, result: &mut Map<String, Value>) -> Result<(), Stop> {
        if let Some(text) = fields.get(key).and_then(Value::as_str).filter(|_| self.words > 0) {
            let text = cut(text.trim(), self.words);
            self.spend(text.len())?;
            result.insert(key.into(), text.into());
        }
        Ok(())
    }
}

/// The rest of a schema that exceeds the size limit: its type, and unless `words` is 0 its title and a description of
/// at most `words` bytes.
pub(super) fn open(schema: &Value, words: usize) -> Value {
    let mut result = Map::new();
    if let Some(kind) = text(schema, "type").filter(|kind| TYPES.contains(kind)) {
        result.insert("type".into(), if flag(schema, "nullable") { json!([kind, "null"]) } else { kind.into() });
    }
    for (key, words) in [("title", 100), ("description", words)] {
        if let Some(text) = text(schema, key).filter(|_| words > 0) {
            result.insert(key.into(), cut(text.trim(), words).into());
        }
    }
    Value::Object(result)
}

/// The approximate size of a value in bytes. Counting ends soon after `limit`.
fn length(value: &Value, limit: usize) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(values) => {
            values.iter().fold(2, |sum, value| if sum > limit { sum } else { sum + length(value, limit) })
        }
        Value::Object(fields) => fields
            .iter()
            .fold(2, |sum, (key, value)| if sum > limit { sum } else { sum + key.len() + 4 + length(value, limit) }),
        _ => 8,
    }
}

fn unique(values: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::with_capacity(values.len());
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}
