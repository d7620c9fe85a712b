//! Removes references that would make checking a value endless, or take unbounded time.
//!
//! Real documents contain such references: a base lists its variants in `oneOf`, and each variant names the base in
//! `allOf`. A hostile document nests choices so that the number of combinations doubles with each. So no definition may
//! lead back to itself without descending into the value, and none may have more than [`WAYS`] combinations.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Maximum number of schemas that are tried on one value.
const WAYS: usize = 1_000;
/// Maximum number of consecutive definitions that apply to the same value.
const DEPTH: usize = 32;

/// Cuts such references in a schema with definitions.
pub(super) fn cut(root: &mut Value) {
    let Some(Value::Object(definitions)) = root.get_mut("$defs").map(Value::take) else {
        return;
    };
    let mut cutter = Cutter { definitions, states: HashMap::new() };
    let names: Vec<String> = cutter.definitions.keys().cloned().collect();
    for name in &names {
        cutter.definition(name, 0);
    }
    // Now the number of combinations of every definition is known, and schemas of other values are measured with it.
    for name in &names {
        if let Some(mut value) = cutter.definitions.get_mut(name).map(Value::take) {
            cutter.below(&mut value);
            cutter.definitions.insert(name.clone(), value);
        }
    }
    cutter.value(root, 0);
    cutter.below(root);
    if let Some(object) = root.as_object_mut() {
        object.insert("$defs".into(), Value::Object(cutter.definitions));
    }
}

#[derive(Clone, Copy)]
enum State {
    /// On the path from the root to the current schema.
    Open,
    /// Completed, with its number of combinations.
    Done(usize),
}

struct Cutter {
    definitions: Map<String, Value>,
    states: HashMap<String, State>,
}

impl Cutter {
    /// The number of combinations of a definition. `None` if a reference to it must be cut.
    fn definition(&mut self, name: &str, depth: usize) -> Option<usize> {
        match self.states.get(name) {
            Some(State::Open) => return None,
            Some(State::Done(ways)) => return Some(*ways),
            None if depth >= DEPTH => return None,
            None => {}
        }
        let mut value = self.definitions.get_mut(name)?.take();
        self.states.insert(name.to_owned(), State::Open);
        let ways = self.value(&mut value, depth);
        self.states.insert(name.to_owned(), State::Done(ways));
        self.definitions.insert(name.to_owned(), value);
        Some(ways)
    }

    /// The number of combinations for one value; parts of the value are counted separately.
    fn value(&mut self, schema: &mut Value, depth: usize) -> usize {
        let Value::Object(fields) = schema else {
            return 1;
        };
        let mut ways = 1;
        if let Some(name) = definition_of(fields) {
            match self.definition(&name, depth + 1).filter(|more| *more <= WAYS) {
                Some(more) => ways += more,
                None => drop(fields.remove("$ref")),
            }
        }
        let mut same = 0_usize;
        for (key, value) in fields.iter_mut() {
            match (key.as_str(), value) {
                ("allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
                    for schema in schemas {
                        let more = self.value(schema, depth);
                        if same + more > WAYS {
                            *schema = Value::Object(Map::new());
                        } else {
                            same += more;
                        }
                    }
                }
                ("not" | "if" | "then" | "else", value) => same += self.value(value, depth),
                ("dependentSchemas", Value::Object(schemas)) => {
                    same += schemas.values_mut().map(|schema| self.value(schema, depth)).sum::<usize>();
                }
                _ => {}
            }
        }
        (ways + same).min(WAYS + 1)
    }

    /// Measures the schemas of the parts of a value.
    fn below(&mut self, schema: &mut Value) {
        let Value::Object(fields) = schema else {
            return;
        };
        for (key, value) in fields.iter_mut() {
            let inside = !SAME_VALUE.contains(&key.as_str());
            match (key.as_str(), value) {
                ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                    for schema in schemas {
                        self.inside(schema, inside);
                    }
                }
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                    for schema in schemas.values_mut() {
                        self.inside(schema, inside);
                    }
                }
                ("$defs" | "enum" | "const" | "default" | "examples" | "required", _) => {}
                (_, value @ Value::Object(_)) => self.inside(value, inside),
                _ => {}
            }
        }
    }

    fn inside(&mut self, schema: &mut Value, another_value: bool) {
        if another_value {
            self.value(schema, 0);
        }
        self.below(schema);
    }
}

/// Keywords whose schemas apply to the same value.
const SAME_VALUE: [&str; 8] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"];

fn definition_of(fields: &Map<String, Value>) -> Option<String> {
    Some(fields.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?.to_owned())
}
