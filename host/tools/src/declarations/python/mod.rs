//! Python stubs: one section per namespace, functions with keyword parameters, objects as `TypedDict`.

mod writer;

use std::fmt::Write as _;

use isolette_types::Dialect;
use serde_json::Value;

use self::writer::{DESCRIPTION, Writer, about, literal, string};
use super::{
    Function, Namespaces, Style,
    names::{python_parameter, type_name},
    shape::Field,
    shapes::Shapes,
    types::Types,
};
use crate::text::clipped;

/// Names that stubs may import from `typing`.
const IMPORTS: [&str; 6] = ["Any", "Literal", "Never", "NotRequired", "TypedDict", "overload"];

/// Maximum width of a signature in one line. Longer ones have one line per parameter.
const WIDTH: usize = 100;

/// All tools, as the files that a type checker would look for, one after the other.
pub(super) fn stubs(namespaces: &Namespaces<'_>, style: Style) -> String {
    let mut text = String::new();
    for (namespace, tools) in namespaces.iter().filter_map(|(name, tools)| Some((name.as_ref()?, tools))) {
        let file = match namespace.as_slice() {
            [] if style.is_flat() => "builtins.pyi".to_owned(),
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

/// One tool in one line. Its types are named but not defined.
pub(super) fn signature(tool: Function<'_>) -> String {
    let stub = Stub::of(tool, &mut Types::default());
    let name = match tool.namespace() {
        Some(_) if tool.style.is_flat() => tool.name.to_owned(),
        Some(_) => format!("tools.{}", tool.name),
        None => return format!("call_tool({}) -> {}", stub.parameters.join(", "), stub.result),
    };
    let before = if stub.is_asynchronous { "await " } else { "" };
    format!("{before}{name}({}) -> {}", stub.parameters.join(", "), stub.result)
}

struct Stub {
    name: String,
    parameters: Vec<String>,
    result: String,
    documentation: String,
    is_asynchronous: bool,
}

impl Stub {
    fn of(tool: Function<'_>, types: &mut Types) -> Self {
        let path = tool.namespace();
        let name = if path.is_some() { tool.last_part().to_owned() } else { "call_tool".to_owned() };
        let base = type_name(if path.is_some() { tool.last_part() } else { tool.name });
        let mut shapes = Shapes::new(tool.input_schema);
        let record = shapes.parameters();
        let mut simplified = shapes.simplified;
        let mut writer = Writer::new(types, &shapes);
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
        let result: String = match tool.output_schema {
            None => "Any".into(),
            Some(schema) => {
                let mut shapes = Shapes::new(schema);
                let shape = shapes.root();
                simplified |= shapes.simplified;
                Writer::new(types, &shapes).write(&shape, &format!("{base} result"))
            }
        };
        // `call_tool` is synchronous in every style.
        let is_asynchronous = path.is_some() && tool.style.is_asynchronous();
        let result = if path.is_some() && tool.style.dialect == Dialect::Anthropic {
            let json = if result == "Any" { "JSON".into() } else { format!("the JSON of {result}") };
            lines.push(format!("Returns text: {json}, or the result itself if it is text."));
            "str".into()
        } else {
            result
        };
        if simplified {
            lines.push("(Some types are too deep or too long to be shown; they are `Any`.)".into());
        }
        let mut documentation = clipped(tool.description.trim(), DESCRIPTION).into_owned();
        if !lines.is_empty() {
            let gap = if documentation.is_empty() { "" } else { "\n\n" };
            let _ = write!(documentation, "{gap}{}", lines.join("\n"));
        }
        Self { name, parameters, result, documentation, is_asynchronous }
    }

    fn text(&self) -> String {
        let Self { name, parameters, result, documentation, is_asynchronous } = self;
        let def = if *is_asynchronous { "async def" } else { "def" };
        let decorator = if name == "call_tool" { "@overload\n" } else { "" };
        let one_line = format!("{def} {name}({}) -> {result}:", parameters.join(", "));
        let head = if one_line.len() <= WIDTH {
            one_line
        } else {
            let parameters: Vec<String> = parameters.iter().map(|parameter| format!("    {parameter},\n")).collect();
            // Python allows nothing but a comma after `**kwargs`.
            format!("{def} {name}(\n{}) -> {result}:", parameters.concat())
        };
        if documentation.is_empty() {
            return format!("{decorator}{head} ...");
        }
        format!("{decorator}{head}\n    \"\"\"{}\"\"\"", docstring(documentation))
    }
}

/// The default value of an optional parameter, if the schema has a short one; else `...`.
fn default(field: &Field) -> String {
    match &field.default {
        Some(value @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_))) => {
            Some(literal(value)).filter(|text| text.len() <= 80).unwrap_or_else(|| "...".into())
        }
        _ => "...".into(),
    }
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
