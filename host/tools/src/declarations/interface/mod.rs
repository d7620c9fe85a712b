//! Declarations of the embedder's own interfaces for models: the contents of the guest's modules, in the guest's
//! language.
//!
//! Names and types are those that the guests make (`guest-python/isolette/capabilities`, `guest-js/src/capabilities`).

mod python;
mod typescript;

#[cfg(test)]
mod tests;

use isolette_interface::{Function, Interface, Type};

use isolette_types::Language;

/// Returns the declaration of an interface: a stub file for Python, else a module declaration of TypeScript.
pub fn of_interface(interface: &Interface, language: Language) -> String {
    match language {
        Language::Python => python::stub(interface),
        _ => typescript::module(interface),
    }
}

/// Returns the statement with which a program imports an interface.
pub fn import_of(interface: &Interface, language: Language) -> String {
    let name = &interface.name;
    match language {
        Language::Python => {
            let [namespace, package, own] =
                [&name.namespace, &name.package, &name.interface].map(|name| python::snake(name));
            format!("from {namespace}.{package} import {own}")
        }
        _ => {
            format!("import * as {} from \"{}\"", typescript::camel(&name.interface), name.unversioned())
        }
    }
}

/// Returns the name of a function, or of a part of a module's name, in Python and in JavaScript.
pub fn spellings(name: &str) -> [String; 2] {
    [python::snake(name), typescript::function_name(name)]
}

/// What a call of a function gives a program, with aliases of its result type resolved.
struct Outcome<'a> {
    value: Option<&'a Type>,
    can_fail: bool,
    error: Option<&'a Type>,
}

fn outcome<'a>(interface: &'a Interface, function: &'a Function) -> Outcome<'a> {
    let resolved = |kind: &'a Type| interface.resolved(kind);
    match function.result.as_ref().map(resolved) {
        Some(Type::Result { ok, error }) => {
            Outcome { value: ok.as_deref(), can_fail: true, error: error.as_deref().map(resolved) }
        }
        value => Outcome { value, can_fail: false, error: None },
    }
}

/// The lines of a documentation text, each with a prefix.
fn lines(docs: &str, before: &str) -> String {
    docs.lines().map(|line| format!("{before}{line}").trim_end().to_owned() + "\n").collect()
}
