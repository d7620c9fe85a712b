//! Tools as typed functions: Python stubs and TypeScript declarations, made from JSON Schemas.
//!
//! The texts are read by models and by type checkers. They are the same for the same tools, byte for byte; they are
//! syntactically valid for any schema; and their size is bounded. Where a type would be too deep or too long, the text
//! has `Any` or `unknown`, and a remark that it was simplified.

mod both;
mod interface;
mod names;
mod python;
pub(crate) mod shape;
pub(crate) mod shapes;
mod style;
#[cfg(test)]
mod tests;
mod types;
mod typescript;

use std::collections::BTreeMap;

use serde_json::Value;

pub use self::interface::{import_of, of_interface, spellings};
use self::names::is_callable;
pub use self::style::Style;
use crate::Tool;
use isolette_types::Language;

/// Functions of `tools` itself, which hide tools and namespaces of the same names.
const OWN: [&str; 4] = ["call", "describe", "list", "search"];

/// Tools by their namespace. Tools whose names a program cannot write as a path are under `None`.
type Namespaces<'a> = BTreeMap<Option<Vec<&'a str>>, Vec<Function<'a>>>;

/// The parts of a tool that are declared.
#[derive(Clone, Copy, Debug)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a Value,
    output_schema: Option<&'a Value>,
    style: Style,
}

/// Returns all tools as typed functions in one text.
pub fn declare(tools: &[Tool], style: impl Into<Style>) -> String {
    let style = style.into();
    let mut namespaces = Namespaces::new();
    let names: Vec<String> = tools.iter().map(|tool| style.name(tool.name())).collect();
    for (tool, name) in tools.iter().zip(&names) {
        let function = Function::of(tool, name, style);
        namespaces.entry(function.namespace()).or_default().push(function);
    }
    match style.language {
        Language::Python => python::stubs(&namespaces, style),
        _ => typescript::declarations(&namespaces, style),
    }
}

/// Returns one tool as a typed function, with the types that it needs.
pub fn declaration(tool: &Tool, style: impl Into<Style>) -> String {
    let style = style.into();
    let name = style.name(tool.name());
    let function = Function::of(tool, &name, style);
    match style.language {
        Language::Python => python::function(function),
        _ => typescript::function(function),
    }
}

/// Returns one tool in one line, for lists: `github.create_issue(*, owner: str, title: str = ...) -> Issue`.
pub fn signature(tool: &Tool, style: impl Into<Style>) -> String {
    let style = style.into();
    let name = style.name(tool.name());
    let function = Function::of(tool, &name, style);
    match style.language {
        Language::Python => python::signature(function),
        _ => typescript::signature(function),
    }
}

impl<'a> Function<'a> {
    fn of(tool: &'a Tool, name: &'a str, style: Style) -> Self {
        Self {
            style,
            name,
            description: tool.description(),
            input_schema: tool.input_schema(),
            output_schema: tool.output_schema(),
        }
    }

    /// `["github"]` for `github.create_issue`, if a program can write that as a call; else `None`.
    fn namespace(&self) -> Option<Vec<&'a str>> {
        let mut parts: Vec<&str> = self.name.split('.').collect();
        let is_hidden = OWN.contains(&parts[0]) && !self.style.is_flat();
        let callable = parts.iter().all(|part| is_callable(part)) && !is_hidden;
        parts.pop();
        callable.then_some(parts)
    }

    /// `create_issue` for `github.create_issue`.
    fn last_part(&self) -> &'a str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}
