//! Types in Python: annotations, and classes for objects.

use std::fmt::Write as _;

use serde_json::Value;

use crate::text::clipped;
use crate::{
    declarations::shape::Field, declarations::shape::Record, declarations::shape::Shape, declarations::shapes::Shapes,
    declarations::types::Claim, declarations::types::Names, declarations::types::Types, naming::is_identifier,
    naming::is_python_keyword,
};

/// Maximum length of a description in characters.
pub(super) const DESCRIPTION: usize = 4000;
/// Maximum length, in characters, of the comment on the line of a field.
const REMARK: usize = 160;

/// Writes annotations, and the classes that they need.
pub(super) struct Writer<'a> {
    names: Names<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(types: &'a mut Types, shapes: &'a Shapes<'a>) -> Self {
        Self { names: Names::new(types, shapes) }
    }

    pub(super) fn write(&mut self, shape: &Shape, wish: &str) -> String {
        match shape {
            Shape::Anything => "Any".into(),
            Shape::Nothing => "Never".into(),
            Shape::Null => "None".into(),
            Shape::Boolean => "bool".into(),
            Shape::Integer => "int".into(),
            Shape::Number => "float".into(),
            Shape::Text => "str".into(),
            Shape::Literals(values) => self.literals(values),
            Shape::List(item) => format!("list[{}]", self.write(item, &format!("{wish} item"))),
            Shape::Tuple(items) if items.is_empty() => "list[Never]".into(),
            // A tuple that arrives as JSON is a list, whose items have no individual types.
            Shape::Tuple(items) => {
                let mut kinds: Vec<String> = Vec::new();
                for item in items {
                    let kind = self.write(item, &format!("{wish} item"));
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                format!("list[{}]", kinds.join(" | "))
            }
            Shape::Map(value) => format!("dict[str, {}]", self.write(value, &format!("{wish} value"))),
            Shape::Record(record) => match self.names.record(shape, record, wish) {
                Claim::Same(name) => name,
                Claim::New(name) => {
                    let text = self.class(record, &name);
                    self.names.add(text);
                    name
                }
            },
            Shape::Union(members) => {
                let mut kinds: Vec<String> = Vec::new();
                for (number, member) in members.iter().enumerate() {
                    let kind = self.write(member, &format!("{wish} {}", number + 1));
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                // `None` comes last by convention.
                kinds.sort_by_key(|kind| kind == "None");
                kinds.join(" | ")
            }
            Shape::Named(index) => self.named(*index),
        }
    }

    fn literals(&self, values: &[Value]) -> String {
        let (nothing, values): (Vec<_>, Vec<_>) = values.iter().partition(|value| value.is_null());
        let values: Vec<String> = values.into_iter().map(literal).collect();
        match (values.is_empty(), nothing.is_empty()) {
            (true, _) => "None".into(),
            (false, true) => format!("Literal[{}]", values.join(", ")),
            (false, false) => format!("Literal[{}] | None", values.join(", ")),
        }
    }

    fn named(&mut self, index: usize) -> String {
        let name = match self.names.definition(index) {
            Claim::Same(name) => return name,
            Claim::New(name) => name,
        };
        let definition = self.names.defined(index);
        let text = match &definition.shape {
            Shape::Record(record) => self.class(record, &name),
            shape => format!("type {name} = {}", self.write(shape, &definition.name)),
        };
        self.names.add(text);
        name
    }

    fn class(&mut self, record: &Record, name: &str) -> String {
        let kinds: Vec<String> = record
            .fields
            .iter()
            .map(|field| {
                let kind = self.write(&field.shape, &format!("{name} {}", field.name));
                if field.required { kind } else { format!("NotRequired[{kind}]") }
            })
            .collect();
        let fields = record.fields.iter().zip(kinds);
        let written = |field: &Field| is_identifier(&field.name) && !is_python_keyword(&field.name);
        let mut text = if record.fields.iter().all(written) && !record.fields.is_empty() {
            let lines = fields.map(|(field, kind)| format!("\n    {}: {kind}{}", field.name, remark(field)));
            format!("class {name}(TypedDict):{}", lines.collect::<String>())
        } else {
            let lines = fields.map(|(field, kind)| format!("\n    {}: {kind},{}", string(&field.name), remark(field)));
            format!("{name} = TypedDict(\"{name}\", {{{}\n}})", lines.collect::<String>())
        };
        if record.others.is_some() {
            let indentation = if text.ends_with(')') { "" } else { "    " };
            let _ = write!(text, "\n{indentation}# It may have other keys besides.");
        }
        text
    }
}

fn remark(field: &Field) -> String {
    match about(field) {
        None => String::new(),
        Some(about) => {
            let line = about.split(|character: char| character.is_control()).find(|line| !line.trim().is_empty());
            line.map(|line| format!("  # {}", clipped(line.trim(), REMARK))).unwrap_or_default()
        }
    }
}

/// The description and the constraints of a parameter, for its line.
pub(super) fn about(field: &Field) -> Option<String> {
    let description = field.description.as_deref().map(|text| clipped(text, DESCRIPTION).into_owned());
    match (description, &field.constraints) {
        (Some(description), Some(constraints)) => Some(format!("{description} ({constraints})")),
        (Some(description), None) => Some(description),
        (None, Some(constraints)) => Some(format!("({constraints})")),
        (None, None) => None,
    }
}

pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}

/// A string literal. JSON escapes are Python escapes, except those of characters beyond the Basic Multilingual Plane,
/// which are not escaped here.
pub(super) fn string(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\n' => literal.push_str("\\n"),
            '\t' => literal.push_str("\\t"),
            '\r' => literal.push_str("\\r"),
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(literal, "\\u{:04x}", u32::from(other));
            }
            other => literal.push(other),
        }
    }
    literal.push('"');
    literal
}
