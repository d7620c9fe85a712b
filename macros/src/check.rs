//! Checks for WIT that has no equivalent in Rust.

use std::collections::BTreeMap;

use isolette_interface::{Kind, Source};

use crate::{
    functions::{Method, methods_name, trait_name},
    idents::pascal,
    types::Types,
};

/// Maximum number of fields of a tuple that implements the required traits.
const TUPLE_LIMIT: usize = 12;

/// The name of the server type in the module.
const SERVER: &str = "IsoletteServer";

/// Reports a conflict with its location in the WIT. The compiler would report it for generated names that the author does not
/// know.
pub(crate) fn check(types: &Types<'_>, methods: &[Method<'_>], source: &Source) -> Result<(), String> {
    let interface = types.interface;
    let report = |name: &str, problem: String| match source.line(name) {
        Some(line) => Err(format!("{line}: {problem}")),
        None => Err(problem),
    };
    if let Some(name) = interface.first_tuple_wider_than(TUPLE_LIMIT) {
        let problem = format!("Rust supports no tuples of more than {TUPLE_LIMIT} fields\nhint: use a record");
        return report(name, problem);
    }
    let mut taken = BTreeMap::new();
    for method in methods {
        let (name, own) = (method.name.to_string(), &method.function.name);
        if let Some(other) = taken.insert((method.resource, name.clone()), own) {
            let problem = format!("`{own}` and `{other}` are both named `{name}` in Rust\nhint: rename one of them");
            return report(own.as_str(), problem);
        }
    }
    let mut taken = BTreeMap::from([(SERVER.to_owned(), "the server of the interface".to_owned())]);
    taken.insert(trait_name(types).to_string(), "the trait of the interface".to_owned());
    for (place, definition) in interface.types.iter().enumerate() {
        let (name, what) = match definition.kind {
            // The embedder defines the type of a resource; the module defines its trait.
            Kind::Resource => (methods_name(types, place), format!("the trait of `{}`", definition.name)),
            _ => (pascal(&definition.name), format!("`{}`", definition.name)),
        };
        let name = name.to_string();
        if let Some(other) = taken.insert(name.clone(), what.clone()) {
            let problem = format!("{what} and {other} are both named `{name}` in Rust\nhint: rename one of them");
            return report(&definition.name, problem);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{input::Input, module::of_interface};

    fn problem(wit: &str, resources: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c.wit");
        std::fs::write(&file, format!("package a:b;\ninterface c {{\n{wit}\n}}")).unwrap();
        let (interface, source) = isolette_interface::read(&file, "a:b/c").unwrap();
        let input = format!(r#"path: "wit", interface: "a:b/c", resources: {{ {resources} }}"#);
        let input: Input = syn::parse_str(&input).unwrap();
        let problem = of_interface(&input, &interface, &source).map(|_| "nothing".to_owned());
        let problem = problem.unwrap_or_else(|error| error.to_string());
        problem.replace(&format!("{}/", folder.path().display()), "")
    }

    #[test]
    fn functions_with_the_same_name_in_rust_are_rejected_with_their_line() {
        assert_eq!(
            problem("resource x { constructor(); }\n  new-x: func();", "x: X"),
            "c.wit:4:3: `new-x` and `x.constructor` are both named `new_x` in Rust\nhint: rename one of them"
        );
        assert_eq!(
            problem("resource a { b: static func(); }\n  a-b: func();", "a: A"),
            "c.wit:4:3: `a-b` and `a.b` are both named `a_b` in Rust\nhint: rename one of them"
        );
        assert_eq!(problem("resource a { b: func(); }\n  a-b: func(); b: func();", "a: A"), "nothing");
    }

    #[test]
    fn types_named_like_a_trait_in_rust_are_rejected_with_their_line() {
        assert_eq!(
            problem("resource x;\n  record x-methods { y: u8 }", "x: X"),
            "c.wit:4:10: `x-methods` and the trait of `x` are both named `XMethods` in Rust\nhint: rename one of them"
        );
        assert_eq!(problem("record c { y: u8 }", ""), "nothing");
    }

    #[test]
    fn tuples_with_too_many_fields_are_rejected_with_their_line() {
        let tuple = |fields: usize| format!("tuple<{}>", vec!["u8"; fields].join(", "));
        assert_eq!(problem(&format!("f: func(x: {});", tuple(12)), ""), "nothing");
        assert_eq!(
            problem(&format!("g: func();\n  f: func(x: list<{}>);", tuple(13)), ""),
            "c.wit:4:3: Rust supports no tuples of more than 12 fields\nhint: use a record"
        );
    }
}
