//! Reading JSON Schemas that somebody else wrote: references inside the document, and the parameters of a tool.
//!
//! Nothing is fetched, and nothing here trusts a schema to be reasonable: references may lead in circles or nowhere.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// References to references, and parts of parts, are followed so far.
const DEEPEST: usize = 16;
/// Of one schema; a function with more parameters is not one that anybody calls.
pub(crate) const PROPERTIES: usize = 256;

/// A schema with everything that its references can mean.
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

    /// What a reference means, if that is in the same document.
    pub(crate) fn lookup(&self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8().ok()?;
        match &*pointer {
            "" => Some(self.root),
            pointer if pointer.starts_with('/') => self.root.pointer(pointer),
            anchor => self.anchored(anchor),
        }
    }

    /// Anchors are looked for where definitions are: elsewhere nobody puts them.
    fn anchored(&self, anchor: &str) -> Option<&'a Value> {
        let definitions = ["$defs", "definitions"].into_iter().filter_map(|key| self.root.get(key)?.as_object());
        definitions.flat_map(Map::values).find(|schema| schema.get("$anchor").and_then(Value::as_str) == Some(anchor))
    }

    /// A schema that is nothing but a reference, with what it refers to in its place.
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

    /// The properties that an object of the root schema has, in their order, whether they stand in it, behind a
    /// reference, in a part of it (`allOf`) or in one of several variants (`oneOf`, `anyOf`). Those of variants are
    /// required if every variant requires them.
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
            // The one that says more: parts often repeat a name only to require it.
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

/// What a schema says of its value for a person to read.
pub(crate) fn description(schema: &Value) -> Option<&str> {
    schema.get("description").and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// What else a value must be: `at least 1, at most 100`.
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
            // What generators write for "not negative" and "any", or rather do not mean at all.
            Value::Number(number) if keyword != "minLength" || number.as_u64() != Some(0) => {
                let after = if number.as_u64() == Some(1) { after.trim_end_matches('s') } else { after };
                Some(format!("{before}{number}{after}"))
            }
            // Formats of numbers say how a service stores them.
            Value::String(text) if !text.starts_with("int") && !text.starts_with("uint") && text.len() <= 120 => {
                Some(format!("{before}{text}{after}")).filter(|_| !matches!(&**text, "float" | "double"))
            }
            _ => None,
        })
        .collect();
    (!said.is_empty()).then(|| said.join(", "))
}
