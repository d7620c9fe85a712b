//! Simplifies schemas for validation where the original could take unbounded time.
//!
//! If a definition leads back to itself in two branches that apply to the same part of a value, a validator tries both,
//! and both again one level below: validation time is exponential in the depth of a value, which programs choose. So
//! all branches but the first are not followed again below the first level; the service still checks.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

/// Maximum number of schemas that are examined. Beyond it, no recursion is followed at all.
const STEPS: usize = 200_000;

/// Returns the schema with less recursion; `None` if it needs no simplification.
pub(in super::super) fn simplified(root: &Value) -> Option<Value> {
    let definitions = root.get("$defs")?.as_object()?;
    let mut graph: HashMap<&str, Vec<&str>> = HashMap::new();
    for (name, schema) in definitions {
        let mut targets = Vec::new();
        references(schema, &mut targets);
        graph.insert(name, targets);
    }
    let groups = groups(&graph);
    let is_loop = |from: &str, to: &str| groups.get(from).is_some_and(|group| groups.get(to) == Some(group));
    let mut steps = STEPS;
    let mut cuts: HashSet<(String, String)> = HashSet::new();
    for (name, schema) in definitions {
        let mut edges = Vec::new();
        let walk = Walk { definitions, home: name, pointer: String::new(), path: Vec::new() };
        walk.collect(schema, &mut edges, &mut steps);
        let mut kept: Vec<Vec<String>> = Vec::new();
        for edge in edges.into_iter().filter(|edge| is_loop(name, edge.target)) {
            if kept.iter().any(|path| overlap(path, &edge.path)) {
                cuts.insert((edge.home.to_owned(), edge.pointer));
            } else {
                kept.push(edge.path);
            }
        }
        if steps == 0 {
            break;
        }
    }
    if steps == 0 {
        let mut open = root.clone();
        unfollow(open.get_mut("$defs")?);
        return Some(open);
    }
    if cuts.is_empty() {
        return None;
    }
    let mut result = root.clone();
    let definitions = result.get_mut("$defs")?;
    for (home, pointer) in cuts {
        let place = definitions.get_mut(&home).and_then(|definition| definition.pointer_mut(&pointer));
        if let Some(fields) = place.and_then(Value::as_object_mut) {
            fields.remove("$ref");
        }
    }
    Some(result)
}

/// A reference from a part of a value to a definition.
struct Edge<'a> {
    /// The part: names of properties, `[]` for elements, `*` for any property.
    path: Vec<String>,
    target: &'a str,
    /// The definition that contains the reference, and where.
    home: &'a str,
    pointer: String,
}

#[derive(Clone)]
struct Walk<'a> {
    definitions: &'a serde_json::Map<String, Value>,
    home: &'a str,
    pointer: String,
    path: Vec<String>,
}

impl<'a> Walk<'a> {
    fn collect(&self, schema: &'a Value, edges: &mut Vec<Edge<'a>>, steps: &mut usize) {
        let Value::Object(fields) = schema else {
            return;
        };
        if *steps == 0 {
            return;
        }
        *steps -= 1;
        if let Some(target) = fields.get("$ref").and_then(Value::as_str).and_then(|it| it.strip_prefix("#/$defs/")) {
            match (self.path.is_empty(), self.definitions.get_key_value(target)) {
                (false, _) => {
                    edges.push(Edge { path: self.path.clone(), target, home: self.home, pointer: self.pointer.clone() })
                }
                (true, Some((home, schema))) => {
                    Walk { home, pointer: String::new(), ..self.clone() }.collect(schema, edges, steps);
                }
                (true, None) => {}
            }
        }
        for (key, value) in fields {
            let step = |part: &str| match key.as_str() {
                "properties" => Some(part.to_owned()),
                "items" | "prefixItems" | "contains" | "unevaluatedItems" => Some("[]".to_owned()),
                "patternProperties" | "additionalProperties" | "unevaluatedProperties" | "propertyNames" => {
                    Some("*".to_owned())
                }
                _ => None,
            };
            match (key.as_str(), value) {
                ("enum" | "const" | "default" | "examples" | "required", _) => {}
                ("properties" | "patternProperties" | "dependentSchemas", Value::Object(schemas)) => {
                    for (name, schema) in schemas {
                        self.inner(key, name, step(name)).collect(schema, edges, steps);
                    }
                }
                (_, Value::Array(schemas)) => {
                    for (index, schema) in schemas.iter().enumerate() {
                        self.inner(key, &index.to_string(), step("")).collect(schema, edges, steps);
                    }
                }
                (_, Value::Object(_)) => {
                    let mut inner = self.inner(key, "", step(""));
                    inner.pointer = format!("{}/{key}", self.pointer);
                    inner.collect(value, edges, steps);
                }
                _ => {}
            }
        }
    }

    fn inner(&self, key: &str, name: &str, step: Option<String>) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        let path = self.path.iter().cloned().chain(step).collect();
        Self { pointer: format!("{}/{key}/{name}", self.pointer), path, ..self.clone() }
    }
}

/// Whether two parts of a value can be the same, or one inside the other.
fn overlap(one: &[String], other: &[String]) -> bool {
    one.iter().zip(other).all(|(one, other)| one == other || one == "*" || other == "*")
}

fn references<'a>(schema: &'a Value, targets: &mut Vec<&'a str>) {
    match schema {
        Value::Array(values) => values.iter().for_each(|value| references(value, targets)),
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "$ref" => targets.extend(text.strip_prefix("#/$defs/")),
                    value => references(value, targets),
                }
            }
        }
        _ => {}
    }
}

fn unfollow(schema: &mut Value) {
    match schema {
        Value::Array(values) => values.iter_mut().for_each(unfollow),
        Value::Object(fields) => {
            if fields.get("$ref").is_some_and(Value::is_string) {
                fields.remove("$ref");
            }
            fields.values_mut().for_each(unfollow);
        }
        _ => {}
    }
}

/// Numbers the strongly connected components: definitions that lead to one another have the same number; one that does
/// not lead back to itself has none.
fn groups<'a>(graph: &HashMap<&'a str, Vec<&'a str>>) -> HashMap<&'a str, usize> {
    // Kosaraju's algorithm: order by finishing time, then a search in the opposite direction.
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for start in graph.keys().copied() {
        let mut stack = vec![(start, false)];
        while let Some((name, done)) = stack.pop() {
            if done {
                order.push(name);
            } else if seen.insert(name) {
                stack.push((name, true));
                stack.extend(graph.get(name).into_iter().flatten().map(|next| (*next, false)));
            }
        }
    }
    let mut reverse: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, targets) in graph {
        for to in targets {
            reverse.entry(to).or_default().push(from);
        }
    }
    let mut groups = HashMap::new();
    let mut taken = HashSet::new();
    for (number, start) in order.into_iter().rev().enumerate() {
        let mut members = Vec::new();
        let mut stack = vec![start];
        while let Some(name) = stack.pop() {
            if taken.insert(name) {
                members.push(name);
                stack.extend(reverse.get(name).into_iter().flatten());
            }
        }
        let is_loop =
            members.len() > 1 || members.iter().any(|name| graph.get(name).is_some_and(|to| to.contains(name)));
        if is_loop {
            groups.extend(members.into_iter().map(|name| (name, number)));
        }
    }
    groups
}
