//! TypeScript declarations: one namespace for each namespace, functions of one object, objects as interfaces.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    Function, Namespaces,
    names::type_name,
    schema::clipped,
    shape::{Field, Record, Shape},
    shapes::Shapes,
    types::{Claim, Types, contents},
};
use crate::naming::is_identifier;

/// Characters of a description.
const DESCRIPTION: usize = 4000;
/// Arguments that take more characters have a line each.
const WIDTH: usize = 80;

/// All tools, in nested namespaces below `tools`.
pub(super) fn declarations(namespaces: &Namespaces<'_>) -> String {
    let mut text = String::from("// Calls return their result at once; to await them does no harm.\n");
    for (namespace, tools) in namespaces.iter().filter_map(|(name, tools)| Some((name.as_ref()?, tools))) {
        let path: Vec<&str> = ["tools"].into_iter().chain(namespace.iter().copied()).collect();
        let _ = write!(text, "\ndeclare namespace {} {{", path.join("."));
        let mut types = Types::default();
        let functions: Vec<String> = tools.iter().map(|tool| Declaration::of(*tool, &mut types).text("")).collect();
        for part in types.written.iter().chain(&functions) {
            let _ = write!(text, "\n{}\n", indented(part));
        }
        text.push_str("}\n");
    }
    if let Some(tools) = namespaces.get(&None) {
        let mut types = Types::default();
        let functions: Vec<String> =
            tools.iter().map(|tool| Declaration::of(*tool, &mut types).text("declare ")).collect();
        for part in types.written.iter().chain(&functions) {
            let _ = write!(text, "\n{part}\n");
        }
    }
    text
}

/// One tool, with the types that it needs.
pub(super) fn function(tool: Function<'_>) -> String {
    let mut types = Types::default();
    let text = Declaration::of(tool, &mut types).text("declare ");
    types.written.push(text);
    types.written.join("\n\n")
}

/// One tool in one line. Its types are only named.
pub(super) fn signature(tool: Function<'_>) -> String {
    let declaration = Declaration::of(tool, &mut Types::default());
    let arguments = declaration.arguments_in_line();
    match tool.namespace() {
        Some(_) => format!("tools.{}({arguments}): {}", tool.name, declaration.result),
        None => format!("call_tool({arguments}): {}", declaration.result),
    }
}

struct Declaration {
    name: String,
    /// The name of the tool, where the function is `call_tool`.
    literal: Option<String>,
    fields: Vec<(String, String)>,
    /// No field is required.
    optional: bool,
    result: String,
    documentation: String,
}

impl Declaration {
    fn of(tool: Function<'_>, types: &mut Types) -> Self {
        let path = tool.namespace();
        let (name, literal, base) = match path {
            Some(_) => (tool.last_part().to_owned(), None, tool.last_part()),
            None => ("call_tool".to_owned(), Some(string(tool.name)), tool.name),
        };
        let base = type_name(base);
        let mut shapes = Shapes::new(tool.input_schema);
        let record = shapes.parameters();
        let mut simplified = shapes.simplified;
        let mut writer = Writer { types, shapes: &shapes, names: Vec::new() };
        let mut fields = writer.fields(&record, &base);
        if let Some(others) = &record.others {
            let kind = writer.write(others, &format!("{base} others"));
            fields.push((String::new(), others_field(&record, &kind)));
        }
        let result = match tool.output_schema {
            None => "any".into(),
            Some(schema) => {
                let mut shapes = Shapes::new(schema);
                let shape = shapes.root();
                simplified |= shapes.simplified;
                Writer { types, shapes: &shapes, names: Vec::new() }.write(&shape, &format!("{base} result"))
            }
        };
        let mut documentation = clipped(tool.description.trim(), DESCRIPTION).into_owned();
        if simplified {
            documentation.push_str("\n\n(Some types are too deep or too long to be shown; they are `unknown`.)");
        }
        let optional = record.fields.iter().all(|field| !field.required);
        Self { name, literal, fields, optional, result, documentation: documentation.trim().to_owned() }
    }

    fn text(&self, before: &str) -> String {
        let Self { name, result, documentation, .. } = self;
        format!("{}{before}function {name}({}): {result};", comment(documentation), self.arguments())
    }

    fn arguments(&self) -> String {
        let line = self.arguments_in_line();
        if line.len() <= WIDTH && self.fields.iter().all(|(comment, _)| comment.is_empty()) {
            return line;
        }
        let fields: Vec<String> =
            self.fields.iter().map(|(comment, field)| indented(&format!("{comment}{field};"))).collect();
        self.with_name(&format!("{{\n{}\n}}", fields.join("\n")))
    }

    fn arguments_in_line(&self) -> String {
        if self.fields.is_empty() {
            return self.literal.as_ref().map(|name| format!("name: {name}")).unwrap_or_default();
        }
        let fields: Vec<&str> = self.fields.iter().map(|(_, field)| field.as_str()).collect();
        self.with_name(&format!("{{ {} }}", fields.join("; ")))
    }

    fn with_name(&self, arguments: &str) -> String {
        let mark = if self.optional { "?" } else { "" };
        let name = self.literal.as_ref().map(|name| format!("name: {name}, ")).unwrap_or_default();
        format!("{name}args{mark}: {arguments}")
    }
}

struct Writer<'a> {
    types: &'a mut Types,
    shapes: &'a Shapes<'a>,
    /// Of definitions that are being written, or have been.
    names: Vec<(usize, String)>,
}

impl Writer<'_> {
    fn write(&mut self, shape: &Shape, wish: &str) -> String {
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
            Shape::Record(record) => {
                match self.types.claim(record.title.as_deref().unwrap_or(wish), contents(shape, self.shapes)) {
                    Claim::Same(name) => name,
                    Claim::New(name) => {
                        let text = self.interface(record, &name);
                        self.types.written.push(text);
                        name
                    }
                }
            }
            Shape::Union(members) => {
                let mut kinds: Vec<String> = Vec::new();
                for (number, member) in members.iter().enumerate() {
                    let kind = self.write(member, &format!("{wish} {}", number + 1));
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                // What may be nothing is said last.
                kinds.sort_by_key(|kind| kind == "null");
                kinds.join(" | ")
            }
            Shape::Named(index) => self.named(*index),
        }
    }

    fn named(&mut self, index: usize) -> String {
        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == index) {
            return name.clone();
        }
        let definition = &self.shapes.definitions[index];
        let name = match self.types.claim(&definition.name, contents(&Shape::Named(index), self.shapes)) {
            Claim::Same(name) => {
                self.names.push((index, name.clone()));
                return name;
            }
            Claim::New(name) => name,
        };
        self.names.push((index, name.clone()));
        let text = match &definition.shape {
            Shape::Record(record) => self.interface(record, &name),
            shape => format!("type {name} = {};", self.write(shape, &definition.name)),
        };
        self.types.written.push(text);
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

    /// Comments and fields.
    fn fields(&mut self, record: &Record, base: &str) -> Vec<(String, String)> {
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

/// An index signature has to fit all named fields too, so that only one of anything always does.
fn others_field(record: &Record, kind: &str) -> String {
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

/// Nothing for no text.
fn comment(text: &str) -> String {
    let clean = |line: &str| -> String {
        let line = line.replace("*/", "*\\/");
        line.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
    };
    let lines: Vec<String> = text.trim().lines().map(|line| clean(line.trim_end())).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("/** {line} */\n"),
        lines => {
            let lines: Vec<String> = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned()).collect();
            format!("/**\n{}\n */\n", lines.join("\n"))
        }
    }
}

fn is_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}

/// A string literal; JSON's are JavaScript's, but for two line breaks that older parsers take for such.
fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
