//! Renders the parameters of a tool as a list for people and models.

use std::fmt::Write as _;

use serde_json::Value;

use crate::text::clipped;
use crate::{declarations::shape::Field, declarations::shape::Shape, declarations::shapes::Shapes};

/// Maximum length of one description in characters.
const DESCRIPTION: usize = 1000;
/// Maximum number of nested list levels that are spelled out.
const DEEPEST: usize = 4;

/// Returns the parameters that a schema describes, one per line: `- city (string, required): Where. Allowed values:
/// "Paris", "Oslo".`
///
/// The text is Markdown. Parameters keep the order of the schema, because authors put related parameters next to each
/// other; required ones are not moved to the front. If the schema has no parameters, the text says so.
///
/// ```
/// let schema = serde_json::json!({
///     "type": "object",
///     "properties": {"unit": {"enum": ["celsius", "kelvin"], "default": "celsius", "description": "What to measure in"}},
/// });
/// assert_eq!(
///     isolette::catalog::parameters(&schema),
///     r#"- unit (string, optional): What to measure in. Allowed values: "celsius", "kelvin". Default: "celsius"."#
/// );
/// ```
#[must_use]
pub fn parameters(schema: &Value) -> String {
    let mut shapes = Shapes::new(schema);
    let record = shapes.parameters();
    let mut lines: Vec<String> = record.fields.iter().map(|field| line(field, &shapes)).collect();
    if record.others.is_some() {
        lines.push("- others, of any name (optional)".into());
    }
    if lines.is_empty() { "No parameters.".into() } else { lines.join("\n") }
}

fn line(field: &Field, shapes: &Shapes<'_>) -> String {
    let necessity = if field.required { "required" } else { "optional" };
    let mut line = format!("- {} ({}, {necessity})", field.name, kind(&field.shape, shapes, DEEPEST));
    let mut sentences = Vec::new();
    if let Some(description) = &field.description {
        let description = description.split_whitespace().collect::<Vec<_>>().join(" ");
        sentences.push(clipped(description.trim_end_matches('.'), DESCRIPTION).into_owned());
    }
    if let Some(values) = allowed(&field.shape) {
        let values: Vec<String> = values.iter().map(ToString::to_string).collect();
        sentences.push(format!("Allowed values: {}", values.join(", ")));
    }
    if let Some(constraints) = &field.constraints {
        sentences.push(capitalised(constraints));
    }
    if let Some(default) = &field.default {
        sentences.push(format!("Default: {}", clipped(&default.to_string(), 200)));
    }
    if !sentences.is_empty() {
        let _ = write!(line, ": {}.", sentences.join(". "));
    }
    line
}

/// The values of an enumeration, including one that is nullable or the item type of a list.
fn allowed(shape: &Shape) -> Option<&[Value]> {
    match shape {
        Shape::Literals(values) => Some(values),
        Shape::List(item) => allowed(item),
        Shape::Union(members) => members.iter().find_map(allowed),
        _ => None,
    }
}

/// The name of a type in the terms of JSON Schema.
fn kind(shape: &Shape, shapes: &Shapes<'_>, depth: usize) -> String {
    match shape {
        Shape::Anything | Shape::Nothing => "any".into(),
        Shape::Null => "null".into(),
        Shape::Boolean => "boolean".into(),
        Shape::Integer => "integer".into(),
        Shape::Number => "number".into(),
        Shape::Text => "string".into(),
        Shape::Literals(values) => joined(values.iter().map(|value| {
            match value {
                Value::Null => "null",
                Value::Bool(_) => "boolean",
                Value::Number(_) => "integer",
                _ => "string",
            }
            .to_owned()
        })),
        Shape::List(item) if depth > 0 => match kind(item, shapes, depth - 1) {
            item if item == "any" => "array".into(),
            item => format!("array of {item}"),
        },
        Shape::List(_) | Shape::Tuple(_) => "array".into(),
        Shape::Map(_) => "object".into(),
        Shape::Record(record) => {
            let names: Vec<&str> = record.fields.iter().map(|field| field.name.as_str()).take(20).collect();
            format!("object with {}", names.join(", "))
        }
        Shape::Union(members) if depth > 0 => joined(members.iter().map(|member| kind(member, shapes, depth - 1))),
        Shape::Union(_) => "any".into(),
        Shape::Named(index) if depth > 0 => kind(&shapes.definitions[*index].shape, shapes, depth - 1),
        Shape::Named(_) => "object".into(),
    }
}

fn joined(kinds: impl Iterator<Item = String>) -> String {
    let mut once = Vec::new();
    for kind in kinds {
        if !once.contains(&kind) {
            once.push(kind);
        }
    }
    once.join(" or ")
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
