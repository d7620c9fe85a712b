//! Types in TypeScript, and interfaces for objects.

use serde_json::Value;

use super::text::{comment, indented, string};
use crate::text::clipped;
use crate::{
    declarations::shape::Field, declarations::shape::Record, declarations::shape::Shape, declarations::shapes::Shapes,
    declarations::types::Claim, declarations::types::Names, declarations::types::Types, naming::is_identifier,
};

/// Maximum length of a description in characters.
pub(super) const DESCRIPTION: usize = 4000;

/// Writes types, and the interfaces that they need.
pub(super) struct Writer<'a> {
    names: Names<'a>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(types: &'a mut Types, shapes: &'a Shapes<'a>) -> Self {
        Self { names: Names::new(types, shapes) }
    }

    pub(super) fn write(&mut self, shape: &Shape, wish: &str) -> String {
        match shape {
            Shape::Anything => "unknown".into(),
            Shape::Nothing => "never".into(),
            Shape::Null => "null".into(),
            Shape::Boolean => "boolean".into(),
            Shape::Integer | Shape::Number => "number".into(),
            Shape::Text => "string".into(),
            Shape::Literals(values) => values.iter().map(literal).collect::<Vec<_>>().join(" | "),
            Shape::List(item) => match self.write(item, &format!("{wish} item")) {
                item if item.contains(" | ") => format!("({item})[]"),
                item => format!("{item}[]"),
            },
            Shape::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.write(item, &format!("{wish} item"))).collect();
                format!("[{}]", items.join(", "))
            }
            Shape::Map(value) => format!("{{ [key: string]: {} }}", self.write(value, &format!("{wish} value"))),
            Shape::Record(record) => match self.names.record(shape, record, wish) {
                Claim::Same(name) => name,
                Claim::New(name) => {
                    let text = self.interface(record, &name);
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
                // `null` comes last by convention.
                kinds.sort_by_key(|kind| kind == "null");
                kinds.join(" | ")
            }
            Shape::Named(index) => self.named(*index),
        }
    }

    fn named(&mut self, index: usize) -> String {
        let name = match self.names.definition(index) {
            Claim::Same(name) => return name,
            Claim::New(name) => name,
        };
        let definition = self.names.defined(index);
        let text = match &definition.shape {
            Shape::Record(record) => self.interface(record, &name),
            shape => format!("type {name} = {};", self.write(shape, &definition.name)),
        };
        self.names.add(text);
        name
    }

    fn interface(&mut self, record: &Record, name: &str) -> String {
        let mut lines: Vec<String> = self
            .fields(record, name)
            .into_iter()
            .map(|(comment, field)| indented(&format!("{comment}{field};")))
            .collect();
        if let Some(others) = &record.others {
            let kind = self.write(others, &format!("{name} others"));
            lines.push(indented(&format!("{};", others_field(record, &kind))));
        }
        format!("interface {name} {{\n{}\n}}", lines.join("\n"))
    }

    /// The comment and the declaration of each field.
    pub(super) fn fields(&mut self, record: &Record, base: &str) -> Vec<(String, String)> {
        let mut written = Vec::new();
        for field in &record.fields {
            let kind = self.write(&field.shape, &format!("{base} {}", field.name));
            let mark = if field.required { "" } else { "?" };
            let name = if is_identifier(&field.name) { field.name.clone() } else { string(&field.name) };
            written.push((comment(&about(field)), format!("{name}{mark}: {kind}")));
        }
        written
    }
}

/// The index signature for other keys. It must also fit all named fields, so it is `unknown` unless there are none.
pub(super) fn others_field(record: &Record, kind: &str) -> String {
    let kind = if record.fields.is_empty() { kind } else { "unknown" };
    format!("[key: string]: {kind}")
}

fn about(field: &Field) -> String {
    let mut lines = Vec::new();
    lines.extend(field.description.as_deref().map(|text| clipped(text, DESCRIPTION).into_owned()));
    lines.extend(field.constraints.as_ref().map(|constraints| format!("({constraints})")));
    let default = field.default.as_ref().map(ToString::to_string).filter(|text| text.len() <= 80);
    lines.extend(default.map(|default| format!("@default {default}")));
    lines.join("\n")
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}
