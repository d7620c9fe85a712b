//! Reads untrusted JSON Schemas: references inside the document, and the parameters of a tool.
//!
//! No documents are fetched. References may be circular or dangling.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Maximum number of consecutive references, and of nested parts, that are followed.
const DEEPEST: usize = 16;
/// Maximum number of properties of one schema.
pub(crate) const PROPERTIES: usize = 256;

/// A root schema, against which references are resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resolver<'a> {
    root: &'a Value,
}

/// One parameter of a tool, or one field of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property<'a> {
    pub name: &'a str,
    pub schema: &'a Value,
    pub required: bool,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(root: &'a Value) -> Self {
        Self { root }
    }

    pub(crate) fn root(&self) -> &'a Value {
        self.root
    }

    /// The target of a reference, if it is in the same document.
    pub(crate) fn lookup(&self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8().ok()?;
        match &*pointer {
            "" => Some(self.root),
            pointer if pointer.starts_with('/') => self.root.pointer(pointer),
            anchor => self.anchored(anchor),
        }
    }

    /// Anchors are only looked up among definitions, where authors put them.
    fn anchored(&self, anchor: &str) -> Option<&'a Value> {
        let definitions = ["$defs", "definitions"].into_iter().filter_map(|key| self.root.get(key)?.as_object());
        definitions.flat_map(Map::values).find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(anchor))
    }

    /// Follows a schema that is a reference to its target.
    pub(crate) fn follow(&self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..DEEPEST {
            match schema.get("$ref").and_then(Value::as_str).and_then(|reference| self.lookup(reference)) {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
    }

    /// The properties of an object that the root schema describes, in their order: directly, by a reference, in a part
    /// (`allOf`) or in one of several variants (`oneOf`, `anyOf`). A property of variants is required if every variant
    /// requires it.
    pub(crate) fn properties(&self) -> Vec<Property<'a>> {
        let mut found = Found::default();
        self.collect(self.root, &mut found, DEEPEST);
        let Found { mut properties, required, .. } = found;
        properties.retain(|property| property.schema != &Value::Bool(false));
        for property in &mut properties {
            property.required = required.contains(&property.name);
        }
        properties
    }

    fn collect(&self, schema: &'a Value, found: &mut Found<'a>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| self.lookup(reference)) {
            self.collect(target, found, depth);
        }
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            found.add(name, property);
        }
        found.required.extend(required(schema));
        for part in list(schema, "allOf") {
            self.collect(part, found, depth);
        }
        for keyword in ["oneOf", "anyOf"] {
            let mut everywhere: Option<Vec<&str>> = None;
            for variant in list(schema, keyword) {
                let mut here = Found::default();
                self.collect(variant, &mut here, depth);
                for property in here.properties {
                    found.add(property.name, property.schema);
                }
                everywhere = Some(match everywhere {
                    None => here.required,
                    Some(all) => all.into_iter().filter(|name| here.required.contains(name)).collect(),
                });
            }
            found.required.extend(everywhere.unwrap_or_default());
        }
    }
}

#[derive(Default)]
struct Found<'a> {
    properties: Vec<Property<'a>>,
    positions: HashMap<&'a str, usize>,
    required: Vec<&'a str>,
}

impl<'a> Found<'a> {
    fn add(&mut self, name: &'a str, schema: &'a Value) {
        if let Some(position) = self.positions.get(name) {
            // Keep the more detailed one: parts often repeat a name only to require it.
            let known = &mut self.properties[*position];
            if known.schema.as_object().is_none_or(Map::is_empty) {
                known.schema = schema;
            }
        } else if self.properties.len() < PROPERTIES {
            self.positions.insert(name, self.properties.len());
            self.properties.push(Property { name, schema, required: false });
        }
    }
}

/// The schemas under a keyword.
pub(crate) fn list<'a>(schema: &'a Value, keyword: &str) -> &'a [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The names under `required`.
pub(crate) fn required(schema: &Value) -> impl Iterator<Item = &str> {
    list(schema, "required").iter().filter_map(Value::as_str)
}

/// The description of a schema, if it is not empty.
pub(crate) fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// The constraints of a value in words: `at least 1, at most 100`.
pub(crate) fn constraints(schema: &Value) -> Option<String> {
    const WORDS: [(&str, &str, &str); 11] = [
        ("minimum", "at least ", ""),
        ("exclusiveMinimum", "more than ", ""),
        ("maximum", "at most ", ""),
        ("exclusiveMaximum", "less than ", ""),
        ("multipleOf", "a multiple of ", ""),
        ("minLength", "at least ", " characters"),
        ("maxLength", "at most ", " characters"),
        ("minItems", "at least ", " items"),
        ("maxItems", "at most ", " items"),
        ("format", "format ", ""),
        ("pattern", "matching ", ""),
    ];
    let said: Vec<String> = WORDS
        .into_iter()
        .filter_map(|(keyword, before, after)| match schema.get(keyword)? {
            // Generators emit `minLength: 0` without a meaning.
            Value::Number(number) if keyword != "minLength" || number.as_u64() != Some(0) => {
                let after = if number.as_u64() == Some(1) { after.trim_end_matches('s') } else { after };
                Some(format!("{before}{number}{after}"))
            }
            // Formats of numbers describe how a service stores them, which does not concern the caller.
            Value::String(text) if !text.starts_with("int") && !text.starts_with("uint") && text.len() <= 120 => {
                Some(format!("{before}{text}{after}")).filter(|_| !matches!(&**text, "float" | "double"))
            }
            _ => None,
        })
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}
