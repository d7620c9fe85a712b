//! Generates a runner whose programs are calls of the exported functions of a component.

#[cfg(test)]
mod tests;

use std::{fmt::Write as _, path::Path};

use isolette_interface::{Function, Interface, Kind, Type};

use super::{
    coding::codings,
    component::BARE,
    names::snake,
    spelling::{Spelling, module},
};

/// Returns the code of the crate.
pub(super) fn code(interfaces: &[Interface], bare: &[String], sources: &Path, wit: &Path) -> String {
    let interfaces_with_names = interfaces.iter().filter(|interface| !is_bare(interface));
    let imports: String = interfaces_with_names
        .map(|interface| interface.name.to_string())
        .chain(bare.iter().cloned())
        .map(|import| format!(" import {import};"))
        .collect();
    let sources = sources.join("wit");
    let mut code = format!(
        r##"//! Generated from WIT: runs calls of the exported functions of a component.

#![allow(warnings)]

use exports::isolette::sandbox::runner::{{Error, Guest, Outcome, Request, Value}};
use isolette_abi::value::{{Decode, Decoder, Encode, EncodeError, InvalidValue, decode_all, encode_discriminant}};
use isolette_interface::{{Function, Interface, Mismatch}};

wit_bindgen::generate!({{
    inline: "package isolette:bound; world bound {{{imports} export isolette:sandbox/runner@0.1.0; }}",
    path: [{sources:?}, {wit:?}],
    generate_all,
}});

struct Component;

export!(Component);

type Failure = (&'static str, String);

impl Guest for Component {{
    fn run(request: Request) -> Outcome {{
        match bound::run(&request.filename, &request.code) {{
            Ok(value) => Outcome {{ value: value.map(|json| Value {{ json, exact: true }}), error: None, exit_code: 0 }},
            Err((kind, message)) => {{
                let error = Error {{ kind: kind.into(), message, line: None, traceback: String::new() }};
                Outcome {{ value: None, error: Some(error), exit_code: 1 }}
            }}
        }}
    }}
}}

/// A separate module, because functions of the component outside any interface may have any name.
mod bound {{

use super::*;

/// Returns the index of an interface, the interface, and the index of a function in it.
fn find(name: &str) -> Result<(usize, Interface, usize), Failure> {{
    let mut names = Vec::new();
    for (place, json) in INTERFACES.iter().enumerate() {{
        let interface = Interface::from_json(json).map_err(|error| ("Broken", error.to_string()))?;
        let (versioned, unversioned) = (interface.name.to_string(), interface.name.unversioned());
        let (versioned, unversioned) =
            if unversioned == {BARE:?} {{ (String::new(), String::new()) }} else {{ (format!("{{versioned}}#"), format!("{{unversioned}}#")) }};
        let found = interface.functions.iter().position(|function| {{
            let function = function.name.readable();
            name == format!("{{versioned}}{{function}}") || name == format!("{{unversioned}}{{function}}")
        }});
        match found {{
            Some(function) => return Ok((place, interface, function)),
            None => names.extend(interface.functions.iter().map(|function| format!("{{unversioned}}{{}}", function.name.readable()))),
        }}
    }}
    Err(("UnknownFunction", format!("no function {{name}}\nhint: the functions are {{}}", names.join(", "))))
}}

pub(super) fn run(name: &str, arguments: &str) -> Result<Option<String>, Failure> {{
    let (place, interface, function_place) = find(name)?;
    let function = &interface.functions[function_place];
    let bytes = encode(&interface, function, arguments)?;
    let bytes = call(place, function_place, &bytes)?;
    let Some(kind) = &function.result else {{ return Ok(None) }};
    let mut decoder = Decoder::new(&bytes);
    interface.decode_json(kind, &mut decoder).map(|value| Some(value.to_string())).map_err(|error| ("Broken", error.to_string()))
}}

/// Encodes arguments: an array in the order of the parameters, or an object with their names as keys.
fn encode(interface: &Interface, function: &Function, arguments: &str) -> Result<Vec<u8>, Failure> {{
    let invalid = |message: String| ("InvalidArguments", format!("{{}}: {{message}}", interface.signature(function)));
    let arguments: serde_json::Value = serde_json::from_str(arguments).map_err(|error| invalid(error.to_string()))?;
    let mut bytes = Vec::new();
    let expected = function.params.len();
    match &arguments {{
        serde_json::Value::Array(values) if values.len() == expected => {{}}
        serde_json::Value::Array(values) => return Err(invalid(format!("expected {{expected}} arguments, found {{}}", values.len()))),
        serde_json::Value::Object(values) => {{
            if let Some(other) = values.keys().find(|key| function.params.iter().all(|parameter| parameter.name != **key)) {{
                return Err(invalid(format!("there is no parameter `{{other}}`")));
            }}
        }}
        _ => return Err(invalid("the arguments must be an array, or an object with the names of the parameters as keys".into())),
    }}
    for (place, parameter) in function.params.iter().enumerate() {{
        let value = match &arguments {{
            serde_json::Value::Array(values) => &values[place],
            values => values.get(&parameter.name).unwrap_or(&serde_json::Value::Null),
        }};
        interface.encode_json(&parameter.kind, value, &parameter.name, &mut bytes).map_err(|error| invalid(error.to_string()))?;
    }}
    Ok(bytes)
}}

fn broken<T>(result: Result<T, InvalidValue>) -> Result<T, Failure> {{
    result.map_err(|error| ("Broken", error.to_string()))
}}

"##
    );
    let mut descriptions = String::new();
    let mut arms = String::new();
    for (place, interface) in interfaces.iter().enumerate() {
        let spelling = Spelling { interface, exported: false };
        code.push_str(&codings(&spelling, |kind| !has(interface, kind, &is_handle)));
        let _ = write!(descriptions, "{:?}, ", callable(interface).to_json());
        for (function_place, one) in callable(interface).functions.iter().enumerate() {
            let _ = writeln!(arms, "        ({place}, {function_place}) => {{ {} }}", call(&spelling, one));
        }
    }
    let _ = writeln!(code, "const INTERFACES: &[&str] = &[{descriptions}];\n");
    let _ = writeln!(
        code,
        "fn call(interface: usize, function: usize, bytes: &[u8]) -> Result<Vec<u8>, Failure> {{\n    let mut decoder = \
         Decoder::new(bytes);\n    let mut result = Vec::new();\n    match (interface, function) {{\n{arms}        _ => return \
         Err((\"UnknownFunction\", \"no such function\".into())),\n    }}\n    Ok(result)\n}}\n\n}}"
    );
    code
}

fn is_bare(interface: &Interface) -> bool {
    interface.name.unversioned() == BARE
}

/// Returns the interface with only the functions whose values JSON can represent: those without resources.
fn callable(interface: &Interface) -> Interface {
    let mut callable = interface.clone();
    callable.functions.retain(|function| {
        let kinds = function.params.iter().map(|parameter| &parameter.kind).chain(&function.result);
        function.name.resource_and_name().is_none() && !kinds.into_iter().any(|kind| has(interface, kind, &is_handle))
    });
    callable
}

fn is_handle(kind: &Type) -> bool {
    matches!(kind, Type::Own(_) | Type::Borrow(_))
}

/// Returns whether `wit-bindgen` takes a parameter of the type by reference: if it contains a list or a string.
fn is_borrowed(interface: &Interface, kind: &Type) -> bool {
    has(interface, kind, &|kind| matches!(kind, Type::String | Type::List(_)))
}

fn has(interface: &Interface, kind: &Type, is_it: &dyn Fn(&Type) -> bool) -> bool {
    let within = |kind: &Type| has(interface, kind, is_it);
    is_it(kind)
        || match kind {
            Type::Own(_) | Type::Borrow(_) => false,
            Type::List(inner) | Type::Option(inner) => within(inner),
            Type::Tuple(kinds) => kinds.iter().any(within),
            Type::Result { ok, error } => [ok, error].into_iter().flatten().any(|kind| within(kind)),
            Type::Named(place) => match &interface.types[*place].kind {
                Kind::Record { fields } => fields.iter().any(|field| within(&field.kind)),
                Kind::Variant { cases } => cases.iter().filter_map(|case| case.kind.as_ref()).any(within),
                Kind::Alias { target } => within(target),
                Kind::Resource => is_it(&Type::Own(*place)),
                Kind::Enum { .. } | Kind::Flags { .. } => false,
            },
            _ => false,
        }
}

fn call(spelling: &Spelling<'_>, function: &Function) -> String {
    let (mut decoded, mut arguments) = (String::new(), Vec::new());
    for (place, parameter) in function.params.iter().enumerate() {
        let _ = write!(
            decoded,
            "let p{place}: {} = broken(Decode::decode(&mut decoder, &()))?; ",
            spelling.of(&parameter.kind)
        );
        arguments.push(if is_borrowed(spelling.interface, &parameter.kind) {
            borrowed(spelling.interface, &format!("(&p{place})"), &parameter.kind)
        } else {
            format!("p{place}")
        });
    }
    let module = if is_bare(spelling.interface) { "super".to_owned() } else { module(&spelling.interface.name, false) };
    let name = format!("{module}::{}", snake(function.name.as_str()));
    let called = format!("{name}({})", arguments.join(", "));
    let encode = "value.encode(&mut result, &()).map_err(|error| (\"Broken\", error.to_string()))?;";
    match function.result {
        Some(_) => format!("{decoded}let value = {called}; {encode}"),
        None => format!("{decoded}{called};"),
    }
}

/// Returns the expression that passes a reference to a value as a parameter.
fn borrowed(interface: &Interface, value: &str, kind: &Type) -> String {
    if !is_borrowed(interface, kind) {
        return format!("{value}.clone()");
    }
    match kind {
        Type::String => format!("{value}.as_str()"),
        Type::List(_) => format!("{value}.as_slice()"),
        Type::Option(some) => format!("{value}.as_ref().map(|value| {})", borrowed(interface, "value", some)),
        Type::Result { ok, error } => {
            let map = |kind: &Option<Box<Type>>| {
                kind.as_ref().map_or_else(|| "()".to_owned(), |kind| borrowed(interface, "value", kind))
            };
            format!("{value}.as_ref().map(|value| {}).map_err(|value| {})", map(ok), map(error))
        }
        Type::Tuple(kinds) => {
            let fields = kinds
                .iter()
                .enumerate()
                .map(|(place, kind)| format!("{},", borrowed(interface, &format!("(&{value}.{place})"), kind)));
            format!("({})", fields.collect::<String>())
        }
        Type::Named(place) => match &interface.types[*place].kind {
            // `wit-bindgen` expands an alias of a string or list, and keeps the name of any other alias.
            Kind::Alias { target } if matches!(interface.resolved(target), Type::String | Type::List(_)) => {
                borrowed(interface, value, target)
            }
            _ => value.to_owned(),
        },
        _ => format!("{value}.clone()"),
    }
}
