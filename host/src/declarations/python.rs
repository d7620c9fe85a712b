//! Python stubs: one section for each namespace, functions with keyword parameters, objects as `TypedDict`.

use std::fmt::Write as _;

use serde_json::Value;

use super::{
    Function, Namespaces,
    names::{is_identifier, is_python_keyword, python_parameter, type_name},
    schema::clipped,
    shape::{Field, Record, Shape, Shapes},
    types::{Claim, Types, contents},
};

/// What stubs may need of `typing`.
const IMPORTS: [&str; 6] = ["Any", "Literal", "Never", "NotRequired", "TypedDict", "overload"];

/// Characters of a description.
const DESCRIPTION: usize = 4000;
/// Characters of what is said of one field, in a comment on its line.
const REMARK: usize = 160;
/// Signatures that are longer have a line for each parameter.
const WIDTH: usize = 100;

/// All tools, as the files that a type checker would look for, one after the other.
pub(super) fn stubs(namespaces: &Namespaces<'_>) -> String {
    let mut text = String::new();
    for (namespace, tools) in namespaces.iter().filter_map(|(name, tools)| Some((name.as_ref()?, tools))) {
        let file = match namespace.as_slice() {
            [] => "tools/__init__.pyi".to_owned(),
            parts => format!("tools/{}.pyi", parts.join("/")),
        };
        section(&mut text, &file, tools);
    }
    if let Some(tools) = namespaces.get(&None) {
        section(&mut text, "builtins.pyi", tools);
    }
    text
}

fn section(text: &mut String, file: &str, tools: &[Function<'_>]) {
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    let _ = writeln!(text, "# {file}");
    let mut types = Types::default();
    let functions: Vec<String> = tools.iter().map(|tool| Stub::of(*tool, &mut types).text()).collect();
    let parts = || types.written.iter().chain(&functions);
    let needed: Vec<&str> = IMPORTS.into_iter().filter(|name| parts().any(|part| part.contains(name))).collect();
    if !needed.is_empty() {
        let _ = writeln!(text, "from typing import {}", needed.join(", "));
    }
    for part in parts() {
        let _ = write!(text, "\n{part}\n");
    }
}

/// One tool, with the types that it needs.
pub(super) fn function(tool: Function<'_>) -> String {
    let mut types = Types::default();
    let stub = Stub::of(tool, &mut types).text();
    types.written.push(stub);
    types.written.join("\n\n")
}

/// One tool in one line. Its types are only named.
pub(super) fn signature(tool: Function<'_>) -> String {
    let stub = Stub::of(tool, &mut Types::default());
    let name = match tool.namespace() {
        Some(_) => format!("tools.{}", tool.name),
        None => return format!("call_tool({}) -> {}", stub.parameters.join(", "), stub.result),
    };
    format!("{name}({}) -> {}", stub.parameters.join(", "), stub.result)
}

struct Stub {
    name: String,
    parameters: Vec<String>,
    result: String,
    documentation: String,
}

impl Stub {
    fn of(tool: Function<'_>, types: &mut Types) -> Self {
        let path = tool.namespace();
        let name = if path.is_some() { tool.last_part().to_owned() } else { "call_tool".to_owned() };
        let base = type_name(if path.is_some() { tool.last_part() } else { tool.name });
        let mut shapes = Shapes::new(tool.input_schema);
        let record = shapes.parameters();
        let mut simplified = shapes.simplified;
        let mut writer = Writer { types, shapes: &shapes, names: Vec::new() };
        let mut parameters = Vec::new();
        let mut lines = Vec::new();
        let mut by_keyword = Vec::new();
        let mut others = record.others.as_ref().map(|others| writer.write(others, &format!("{base}Others")));
        for required in [true, false] {
            for field in record.fields.iter().filter(|field| field.required == required) {
                let kind = writer.write(&field.shape, &format!("{base} {}", field.name));
                match python_parameter(&field.name) {
                    Some(name) => {
                        let default = if required { "" } else { &format!(" = {}", default(field)) };
                        by_keyword.push(format!("{name}: {kind}{default}"));
                        lines.extend(about(field).map(|about| format!("{name}: {about}")));
                    }
                    None => {
                        others = Some("Any".into());
                        let need = if required { "required" } else { "optional" };
                        let about = about(field).unwrap_or_default();
                        let name = string(&field.name);
                        lines.push(format!("{name} ({kind}, {need}, only in a dict): {about}").trim_end().to_owned());
                    }
                }
            }
        }
        if path.is_none() {
            parameters.push(format!("name: Literal[{}]", string(tool.name)));
            parameters.push("/".into());
        }
        if !by_keyword.is_empty() {
            parameters.push("*".into());
        }
        parameters.append(&mut by_keyword);
        parameters.extend(others.map(|kind| format!("**others: {kind}")));
        let result = match tool.output_schema {
            None => "Any".into(),
            Some(schema) => {
                let mut shapes = Shapes::new(schema);
                let shape = shapes.root();
                simplified |= shapes.simplified;
                Writer { types, shapes: &shapes, names: Vec::new() }.write(&shape, &format!("{base} result"))
            }
        };
        if simplified {
            lines.push("(Some types are too deep or too long to be shown; they are `Any`.)".into());
        }
        let mut documentation = clipped(tool.description.trim(), DESCRIPTION).into_owned();
        if !lines.is_empty() {
            let gap = if documentation.is_empty() { "" } else { "\n\n" };
            let _ = write!(documentation, "{gap}{}", lines.join("\n"));
        }
        Self { name, parameters, result, documentation }
    }

    fn text(&self) -> String {
        let Self { name, parameters, result, documentation } = self;
        let decorator = if name == "call_tool" { "@overload\n" } else { "" };
        let one_line = format!("def {name}({}) -> {result}:", parameters.join(", "));
        let head = if one_line.len() <= WIDTH {
            one_line
        } else {
            let parameters: Vec<String> = parameters.iter().map(|parameter| format!("    {parameter},\n")).collect();
            // Nothing may follow what takes all the rest, but for a comma.
            format!("def {name}(\n{}) -> {result}:", parameters.concat())
        };
        if documentation.is_empty() {
            return format!("{decorator}{head} ...");
        }
        format!("{decorator}{head}\n    \"\"\"{}\"\"\"", docstring(documentation))
    }
}

/// What is said of a parameter on its line.
fn about(field: &Field) -> Option<String> {
    let description = field.description.as_deref().map(|text| clipped(text, DESCRIPTION).into_owned());
    match (description, &field.constraints) {
        (Some(description), Some(constraints)) => Some(format!("{description} ({constraints})")),
        (Some(description), None) => Some(description),
        (None, Some(constraints)) => Some(format!("({constraints})")),
        (None, None) => None,
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
            // A tuple that came as JSON is a list, whose items have no types of their own.
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
            Shape::Record(record) => self.record(record, shape, record.title.as_deref().unwrap_or(wish)),
            Shape::Union(members) => {
                let mut kinds: Vec<String> = Vec::new();
                for (number, member) in members.iter().enumerate() {
                    let kind = self.write(member, &format!("{wish} {}", number + 1));
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                // What may be nothing is said last.
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
            Shape::Record(record) => self.class(record, &name),
            shape => format!("type {name} = {}", self.write(shape, &definition.name)),
        };
        self.types.written.push(text);
        name
    }

    fn record(&mut self, record: &Record, shape: &Shape, wish: &str) -> String {
        match self.types.claim(wish, contents(shape, self.shapes)) {
            Claim::Same(name) => name,
            Claim::New(name) => {
                let text = self.class(record, &name);
                self.types.written.push(text);
                name
            }
        }
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

/// What an optional parameter is when it is left out, as far as the schema says it in a few words.
fn default(field: &Field) -> String {
    match &field.default {
        Some(value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_))) => {
            Some(literal(value)).filter(|text| text.len() <= 80).unwrap_or_else(|| "...".into())
        }
        _ => "...".into(),
    }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::String(text) => string(text),
        other => other.to_string(),
    }
}

/// A string literal. JSON escapes are Python escapes, but for those of characters beyond the first plane, which are
/// not escaped here.
fn string(text: &str) -> String {
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

fn docstring(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let line: String = line.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
        let line = line.replace('\\', "\\\\").replace('"', "\\\"").replace("\\\"\\\"\\\"", "'''").replace("\\\"", "\"");
        lines.push(line.trim_end().to_owned());
    }
    let mut body = lines.join("\n    ").replace("\n    \n", "\n\n");
    if lines.len() > 1 {
        body.push_str("\n    ");
    } else if body.ends_with('"') {
        body.push(' ');
    }
    body
}
