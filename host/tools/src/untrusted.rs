//! Decides whether values can be checked against an untrusted schema in bounded time.
//!
//! Nested choices double the number of ways to try a value with each level, and recursive choices do so with each level
//! of the value; regular expressions with backtracking can take as long. Values are not checked against a schema that
//! exceeds the limits below, which ordinary schemas do not reach: then the author of the schema (such as an MCP server)
//! has to check the values.

use serde_json::{Map, Value};

use super::validation::{self, Validator};

/// Maximum number of schemas in a schema after all references are expanded.
const SCHEMAS: usize = 10_000;
/// Maximum nesting depth of schemas.
const DEPTH: usize = 100;
/// Maximum number of regular expressions.
const PATTERNS: usize = 100;

/// Returns a validator for `schema` if values can be checked in bounded time; else `None`.
pub(super) fn validator(schema: &Value) -> Option<Validator> {
    let mut measure = Measure { root: schema, open: Vec::new(), schemas: SCHEMAS, patterns: PATTERNS };
    measure.schema(schema, Way::default())?;
    validation::validator(schema).ok()
}

/// How a schema is reached from the root.
#[derive(Clone, Copy, Default)]
struct Way {
    /// Number of schemas that contain this one.
    depth: usize,
    /// Number of steps that descended to a part of the value.
    inside: usize,
    /// Number of steps at which another schema is tried on the same value.
    combined: usize,
}

struct Measure<'a> {
    root: &'a Value,
    /// References on the way from the root to this schema.
    open: Vec<(&'a str, Way)>,
    schemas: usize,
    patterns: usize,
}

impl<'a> Measure<'a> {
    /// Measures a schema. Returns `None` if it exceeds a limit.
    fn schema(&mut self, schema: &'a Value, way: Way) -> Option<()> {
        self.schemas = self.schemas.checked_sub(1)?;
        let Value::Object(fields) = schema else { return Some(()) };
        if way.depth > DEPTH || fields.keys().any(|key| OTHERWISE.contains(&key.as_str())) {
            return None;
        }
        if way.depth > 0 && (fields.contains_key("$id") || fields.get("id").is_some_and(Value::is_string)) {
            return None;
        }
        let way = Way { depth: way.depth + 1, ..way };
        self.patterns = self.patterns.checked_sub(patterns(fields))?;
        // Keywords beside a reference are tried on the same value.
        let beside = fields.contains_key("$ref") && fields.keys().any(|key| KEYWORDS.iter().any(|it| it.0 == key));
        let way = Way { combined: way.combined + usize::from(beside), ..way };
        if let Some(reference) = fields.get("$ref") {
            self.reference(reference.as_str()?, way)?;
        }
        for (key, value) in fields {
            let Some((_, leads)) = KEYWORDS.iter().find(|(name, _)| name == key) else { continue };
            let way = match leads {
                Leads::Inside => Way { inside: way.inside + 1, ..way },
                Leads::Again => Way { combined: way.combined + 1, ..way },
            };
            match value {
                Value::Array(schemas) => schemas.iter().try_for_each(|schema| self.schema(schema, way))?,
                Value::Object(schemas) if MAPS.contains(&key.as_str()) => {
                    schemas.values().try_for_each(|schema| self.schema(schema, way))?;
                }
                schema => self.schema(schema, way)?,
            }
        }
        Some(())
    }

    fn reference(&mut self, reference: &'a str, way: Way) -> Option<()> {
        let pointer = reference.strip_prefix('#').filter(|pointer| !pointer.contains('%'))?;
        if let Some((_, before)) = self.open.iter().find(|(open, _)| *open == pointer) {
            // Such a recursion tries every part of the value once, at any depth.
            return (way.inside > before.inside && way.combined == before.combined).then_some(());
        }
        let target = self.root.pointer(pointer)?;
        self.open.push((pointer, way));
        self.schema(target, way)?;
        self.open.pop();
        Some(())
    }
}

fn patterns(fields: &Map<String, Value>) -> usize {
    let named = fields.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
    named + usize::from(fields.contains_key("pattern"))
}

/// Which part of the value the schemas of a keyword apply to.
enum Leads {
    /// A part of the value that no other such keyword applies to.
    Inside,
    /// The same value, or parts that other keywords apply to as well.
    Again,
}

const KEYWORDS: [(&str, Leads); 19] = [
    ("properties", Leads::Inside),
    ("additionalProperties", Leads::Inside),
    ("items", Leads::Inside),
    ("prefixItems", Leads::Inside),
    ("additionalItems", Leads::Inside),
    ("patternProperties", Leads::Again),
    ("propertyNames", Leads::Again),
    ("contains", Leads::Again),
    ("contentSchema", Leads::Again),
    ("allOf", Leads::Again),
    ("anyOf", Leads::Again),
    ("oneOf", Leads::Again),
    ("not", Leads::Again),
    ("if", Leads::Again),
    ("then", Leads::Again),
    ("else", Leads::Again),
    ("dependentSchemas", Leads::Again),
    ("dependencies", Leads::Again),
    ("extends", Leads::Again),
];

/// Keywords whose values are schemas by name.
const MAPS: [&str; 4] = ["properties", "patternProperties", "dependentSchemas", "dependencies"];

/// Keywords for which this analysis cannot determine what is tried on which part.
const OTHERWISE: [&str; 4] = ["$dynamicRef", "$recursiveRef", "unevaluatedProperties", "unevaluatedItems"];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Each of `count` definitions tries the next one twice.
    fn doubling(count: usize) -> Value {
        let definitions: Map<String, Value> = (0..count)
            .map(|number| {
                let next = json!({ "$ref": format!("#/$defs/d{}", number + 1) });
                (format!("d{number}"), json!({ "anyOf": [next, next] }))
            })
            .chain([(format!("d{count}"), json!({ "type": "string" }))])
            .collect();
        json!({ "$ref": "#/$defs/d0", "$defs": definitions })
    }

    fn fits(schema: &Value, value: &Value) -> bool {
        validation::mistakes(&validator(schema).unwrap(), schema, value, "argument").is_none()
    }

    #[test]
    fn what_honest_servers_write_is_checked() {
        let few = doubling(5);
        let tree = json!({
            "type": "object",
            "properties": { "name": { "type": "string", "pattern": "^[a-z]+$" }, "left": { "$ref": "#" }, "right": { "$ref": "#" } },
            "required": ["name"],
            "additionalProperties": false,
        });
        let list = json!({
            "$defs": { "node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/node" } } } },
            "properties": { "head": { "anyOf": [{ "$ref": "#/$defs/node" }, { "type": "null" }] } },
        });
        assert!(!fits(&few, &json!(1)));
        assert!(fits(&tree, &json!({ "name": "a", "left": { "name": "b" } })));
        assert!(!fits(&tree, &json!({ "name": "a", "left": { "name": "B" } })));
        assert!(!fits(&list, &json!({ "head": { "next": 1 } })));
    }

    #[test]
    fn what_could_take_beyond_measure_is_not() {
        let recursive = |child: Value| json!({ "$defs": { "node": child }, "$ref": "#/$defs/node" });
        let node = json!({ "properties": { "next": { "$ref": "#/$defs/node" } } });
        let cases = [
            doubling(40),
            json!({ "$ref": "#" }),
            recursive(json!({ "anyOf": [node, node] })),
            recursive(
                json!({ "properties": { "a": { "$ref": "#/$defs/node" } }, "patternProperties": { "a": { "$ref": "#/$defs/node" } } }),
            ),
            json!({ "$ref": "#/$defs/a", "properties": { "c": { "$ref": "#" } }, "$defs": { "a": { "properties": { "c": { "$ref": "#" } } } } }),
            json!({ "unevaluatedProperties": false }),
            json!({ "properties": { "a": { "$id": "https://other.example/", "$ref": "#/b" } } }),
            json!({ "pattern": "(?=a)a" }),
            json!({ "pattern": "(\\w{1000}){1000}" }),
            json!({ "prefixItems": vec![json!({ "pattern": "a" }); 101] }),
            json!({ "$ref": "https://elsewhere.example/schema.json" }),
            json!({ "items": vec![json!(true); 10_001] }),
        ];
        for schema in cases {
            assert!(validator(&schema).is_none(), "{}", schema.to_string().chars().take(200).collect::<String>());
        }
    }
}
