//! Removes the names of functions and types from a component.
//!
//! Wasmtime loads them with the code, for backtraces, which the engines have switched off (`isolette_engine::compilation_settings`).
//! Loading them took a twelfth of the start time of a short JavaScript program.

use anyhow::Result;
use wasm_encoder::{Component, ComponentSectionId, Module, RawSection};
use wasmparser::BinaryReader;

use crate::sections::sections;

/// Custom sections that hold names, of modules and of components.
const NAMES: [&str; 2] = ["name", "component-name"];

/// Returns the component without name sections, in nested components and modules as well.
pub(crate) fn without_names(component: &[u8]) -> Result<Vec<u8>> {
    let mut output = Component::new();
    for (id, data) in sections(component)? {
        if is_names(id, data)? {
            continue;
        }
        let inner = if id == u8::from(ComponentSectionId::CoreModule) {
            Some(module(data)?)
        } else if id == u8::from(ComponentSectionId::Component) {
            Some(without_names(data)?)
        } else {
            None
        };
        output.section(&RawSection { id, data: inner.as_deref().unwrap_or(data) });
    }
    Ok(output.finish())
}

fn module(binary: &[u8]) -> Result<Vec<u8>> {
    let mut output = Module::new();
    for (id, data) in sections(binary)? {
        if !is_names(id, data)? {
            output.section(&RawSection { id, data });
        }
    }
    Ok(output.finish())
}

fn is_names(id: u8, data: &[u8]) -> Result<bool> {
    let is_custom = id == u8::from(ComponentSectionId::CoreCustom);
    Ok(is_custom && NAMES.contains(&BinaryReader::new(data, 0).read_string()?))
}

#[cfg(test)]
mod tests {
    use wasmparser::{Parser, Payload};

    use super::*;

    fn custom(binary: &[u8]) -> Vec<String> {
        let payloads = Parser::new(0).parse_all(binary).map(Result::unwrap);
        payloads
            .filter_map(|payload| match payload {
                Payload::CustomSection(section) => Some(section.name().to_owned()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn only_name_sections_are_removed() {
        let text = r#"(component $outer
            (component $inner (core module $m (func $f (export "f")) (@custom "kept" "something")))
            (core module $n (func $g (export "g")))
            (core instance $i (instantiate $n))
            (func $lifted (export "run") (canon lift (core func $i "g"))))"#;
        let named = wat::parse_str(text).unwrap();
        assert!(custom(&named).iter().any(|name| name == "component-name"));
        let stripped = without_names(&named).unwrap();
        assert_eq!(custom(&stripped), ["kept"]);
        wasmparser::Validator::new().validate_all(&stripped).unwrap();
        assert_eq!(without_names(&stripped).unwrap(), stripped);
    }
}
