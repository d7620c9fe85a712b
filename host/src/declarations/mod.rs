//! Tools as typed functions: Python stubs and TypeScript declarations, made of JSON Schemas.
//!
//! What is made here is read by models and by type checkers. It is the same for the same tools, byte for byte; it is
//! always a text of its language, whatever a schema holds; and it is bounded. Where a type would be too deep or too
//! long, the text says `Any` or `unknown`, and that it does.

mod names;
mod python;
pub(crate) mod schema;
pub(crate) mod shape;
mod types;
mod typescript;

use std::collections::BTreeMap;

use self::names::is_callable;
use crate::{Language, Tool};

/// Tools by the namespace that they are in; those that no namespace can name come under `None`.
type Namespaces<'a> = BTreeMap<Option<Vec<&'a str>>, Vec<&'a Tool>>;

/// All tools as typed functions.
pub(crate) fn declare(tools: &[Tool], language: Language) -> String {
    let mut namespaces = Namespaces::new();
    for tool in tools {
        namespaces.entry(namespace(tool)).or_default().push(tool);
    }
    match language {
        Language::Python => python::stubs(&namespaces),
        Language::JavaScript | Language::TypeScript => typescript::declarations(&namespaces),
    }
}

/// One tool as a typed function, with the types that it needs.
pub(crate) fn declaration(tool: &Tool, language: Language) -> String {
    match language {
        Language::Python => python::function(tool),
        Language::JavaScript | Language::TypeScript => typescript::function(tool),
    }
}

/// One tool in one line, for lists: `github.create_issue(*, owner: str, title: str = ...) -> Issue`.
pub(crate) fn signature(tool: &Tool, language: Language) -> String {
    match language {
        Language::Python => python::signature(tool),
        Language::JavaScript | Language::TypeScript => typescript::signature(tool),
    }
}

/// `["github"]` of `github.create_issue`, if a program can write that as a call.
fn namespace(tool: &Tool) -> Option<Vec<&str>> {
    let mut parts: Vec<&str> = tool.name().split('.').collect();
    let callable = parts.iter().all(|part| is_callable(part));
    parts.pop();
    callable.then_some(parts)
}

/// The last part of a tool's name.
fn last_part(tool: &Tool) -> &str {
    tool.name().rsplit('.').next().unwrap_or_default()
}
