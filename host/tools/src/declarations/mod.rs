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
#[cfg(test)]
mod tests;
mod types;
mod typescript;

use std::collections::BTreeMap;

use serde_json::Value;

pub use self::interface::{import_of, of_interface};
use self::names::is_callable;
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
}

/// Returns all tools as typed functions in one text.
pub fn declare(tools: &[Tool], language: Language) -> String {
    let mut namespaces = Namespaces::new();
    for tool in tools {
        let function = Function::of(tool);
        namespaces.entry(function.namespace()).or_default().push(function);
    }
    match language {
        Language::Python => python::stubs(&namespaces),
        _ => typescript::declarations(&namespaces),
    }
}

/// Returns one tool as a typed function, with the types that it needs.
pub fn declaration(tool: &Tool, language: Language) -> String {
    match language {
        Language::Python => python::function(Function::of(tool)),
        _ => typescript::function(Function::of(tool)),
    }
}

/// Returns one tool in one line, for lists: `github.create_issue(*, owner: str, title: str = ...) -> Issue`.
pub fn signature(tool: &Tool, language: Language) -> String {
    match language {
        Language::Python => python::signature(Function::of(tool)),
        _ => typescript::signature(Function::of(tool)),
    }
}

impl<'a> Function<'a> {
    fn of(tool: &'a Tool) -> Self {
        Self {
            name: tool.name(),
            description: tool.description(),
            input_schema: tool.input_schema(),
            output_schema: tool.output_schema(),
        }
    }

    /// `["github"]` for `github.create_issue`, if a program can write that as a call; else `None`.
    fn namespace(&self) -> Option<Vec<&'a str>> {
        let mut parts: Vec<&str> = self.name.split('.').collect();
        let callable = parts.iter().all(|part| is_callable(part)) && !OWN.contains(&parts[0]);
        parts.pop();
        callable.then_some(parts)
    }

    /// `create_issue` for `github.create_issue`.
    fn last_part(&self) -> &'a str {
        self.name.rsplit('.').next().unwrap_or_default()
    }
}
