//! Converts OpenAPI schemas to self-contained JSON Schema 2020-12.
//!
//! Definitions are included breadth first up to a size limit, so that the schema contains what a model reads first, and
//! the schema of one tool is bounded for large or hostile documents. Beyond the limit everything is allowed: the
//! service still checks.

mod branches;
mod convert;
mod dialect;
mod loops;
mod patterns;

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Map, Value, json};

pub(super) use self::{branches::simplified, dialect::Direction, patterns::Patterns};
use self::{
    convert::{Conversion, Stop},
    dialect::Dialect,
};
use super::document::Document;

/// Levels of detail of one definition, from complete to minimal: maximum depth, and maximum bytes of each description.
const DETAIL: [(usize, usize); 5] = [(128, 500), (128, 100), (6, 100), (3, 60), (1, 0)];

/// Maximum number of regular expressions in one schema. Each has to be compiled for every tool.
const PATTERNS: usize = 50;

/// Builds one schema with all definitions that it needs.
pub(super) struct Schemas<'a> {
    document: &'a Document,
    patterns: &'a Patterns,
    direction: Direction,
    files: bool,
    patterns_remaining: usize,
    /// Approximate number of bytes that may still be used.
    remaining: usize,
    /// Names of definitions, by the reference to them.
    names: HashMap<&'a str, String>,
    taken: HashSet<String>,
    waiting: VecDeque<&'a str>,
}

impl<'a> Schemas<'a> {
    pub(super) fn new(document: &'a Document, patterns: &'a Patterns, direction: Direction, bytes: usize) -> Self {
        Self {
            document,
            patterns,
            direction,
            files: false,
            patterns_remaining: PATTERNS,
            remaining: bytes,
            names: HashMap::new(),
            taken: HashSet::new(),
            waiting: VecDeque::new(),
        }
    }

    /// Treats strings of bytes as files, which have a form of their own, from here on.
    pub(super) fn takes_files(&mut self) {
        self.files = true;
    }

    /// Adds one schema. Fails if it refers to something that is not in the document.
    pub(super) fn add(&mut self, schema: &'a Value) -> Result<Value, String> {
        for detail in DETAIL {
            let dialect = Dialect { is_3_0: self.document.is_3_0(), direction: self.direction, files: self.files };
            let mut conversion = Conversion::new(dialect, self.patterns, detail, self.remaining);
            conversion.patterns_remaining = self.patterns_remaining;
            match conversion.schema(schema, 0) {
                Err(Stop::Full) => {}
                Ok(mut value) => {
                    let (references, spent) = (conversion.references, conversion.spent);
                    self.patterns_remaining = conversion.patterns_remaining;
                    self.remaining -= spent.min(self.remaining);
                    let mut names = HashMap::new();
                    for reference in references {
                        // Dangling references are detected here, where they can still be reported.
                        self.document.find(reference)?;
                        names.insert(reference, self.name(reference));
                    }
                    rename(&mut value, &names);
                    return Ok(value);
                }
            }
        }
        Ok(convert::open(schema, 0))
    }

    /// Adds the definitions that all schemas so far refer to. Returns the schema and its approximate size in bytes.
    pub(super) fn finish(mut self, mut root: Value, bytes: usize) -> Result<(Value, usize), String> {
        let mut definitions = Map::new();
        while let Some(reference) = self.waiting.pop_front() {
            let target = self.document.find(reference)?;
            let name = self.names.get(reference).cloned().unwrap_or_default();
            // An unusable schema of an argument is an error, but inside another schema it is replaced by one that
            // allows anything.
            let value = match self.add(target) {
                Ok(value) => value,
                Err(_) => convert::open(target, 0),
            };
            definitions.insert(name, value);
        }
        let spent = bytes.saturating_sub(self.remaining) + definitions.len() * 16;
        if let (Some(object), false) = (root.as_object_mut(), definitions.is_empty()) {
            object.insert("$defs".into(), Value::Object(definitions));
        }
        loops::cut(&mut root);
        Ok((root, spent))
    }

    fn name(&mut self, reference: &'a str) -> String {
        if let Some(name) = self.names.get(reference) {
            return name.clone();
        }
        let base = definition_name(reference);
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}_{number}");
        }
        self.names.insert(reference, name.clone());
        self.waiting.push_back(reference);
        name
    }
}

/// The last meaningful part of a reference.
fn definition_name(reference: &str) -> String {
    let says_nothing =
        |part: &str| matches!(part, "" | "schema" | "items" | "properties") || part.bytes().all(|b| b.is_ascii_digit());
    let part = reference.rsplit(['/', '#']).find(|part| !says_nothing(part)).unwrap_or("definition");
    let name: String =
        part.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).take(64).collect();
    if name.starts_with(|char: char| char.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// Replaces references into the document by references to definitions.
fn rename(value: &mut Value, names: &HashMap<&str, String>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, names)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(reference) if key == "$ref" => {
                        if let Some(name) = names.get(reference.as_str()) {
                            *reference = format!("#/$defs/{name}");
                        }
                    }
                    value => rename(value, names),
                }
            }
        }
        _ => {}
    }
}

/// A schema that also allows null.
pub(super) fn or_null(schema: Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}
