//! Renders an interface as a TypeScript module declaration.

use std::fmt::Write as _;

use isolette_interface::{Definition, Function, Interface, Kind, Type};

use super::{lines, outcome};
use crate::declarations::typescript::text::comment;

/// Names of functions, parameters and fields.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_ascii_lowercase();
    words.fold(first, |name, word| name + &capitalised(word))
}

/// Names of functions. Some names have a meaning for the language itself (such as `then`) and get a `_`.
pub(super) fn function_name(name: &str) -> String {
    let name = camel(name);
    if matches!(&*name, "then" | "constructor" | "prototype") { name + "_" } else { name }
}

fn pascal(name: &str) -> String {
    name.split('-').map(capitalised).collect()
}

fn capitalised(word: &str) -> String {
    let (first, rest) = word.split_at(word.len().min(1));
    first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
}

/// Returns the module declaration.
pub(super) fn module(interface: &Interface) -> String {
    let mut text = String::new();
    docs(&mut text, &interface.docs, "");
    let _ = writeln!(text, "declare module \"{}\" {{", interface.name.unversioned());
    for definition in &interface.types {
        definition_of(&mut text, interface, definition);
    }
    for function in interface.functions.iter().filter(|function| function.name.resource_and_name().is_none()) {
        function_of(&mut text, interface, function, "  function ");
    }
    text.push_str("}\n");
    text
}

fn definition_of(text: &mut String, interface: &Interface, definition: &Definition) {
    let name = pascal(&definition.name);
    docs(text, &definition.docs, "  ");
    match &definition.kind {
        Kind::Alias { target } => {
            let _ = writeln!(text, "  type {name} = {};", spelled(interface, target));
        }
        Kind::Record { fields } => {
            let _ = writeln!(text, "  type {name} = {{");
            for field in fields {
                docs(text, &field.docs, "    ");
                let (optional, kind) = match interface.resolved(&field.kind) {
                    Type::Option(some) if !matches!(interface.resolved(some), Type::Option(_)) => ("?", &**some),
                    kind => ("", kind),
                };
                let _ = writeln!(text, "    {}{optional}: {};", camel(&field.name), spelled(interface, kind));
            }
            text.push_str("  };\n");
        }
        Kind::Variant { cases } => {
            let cases: Vec<_> = cases
                .iter()
                .map(|case| match &case.kind {
                    Some(kind) => format!("{{ tag: \"{}\"; val: {} }}", case.name, spelled(interface, kind)),
                    None => format!("{{ tag: \"{}\" }}", case.name),
                })
                .collect();
            let _ = writeln!(text, "  type {name} = {};", cases.join(" | "));
        }
        Kind::Enum { cases } => {
            let cases: Vec<_> = cases.iter().map(|case| format!("\"{}\"", case.name)).collect();
            let _ = writeln!(text, "  type {name} = {};", cases.join(" | "));
        }
        Kind::Flags { flags } => {
            let flags: Vec<_> = flags.iter().map(|flag| format!("{}?: boolean", camel(&flag.name))).collect();
            let _ = writeln!(text, "  type {name} = {{ {} }};", flags.join("; "));
        }
        Kind::Resource => {
            let _ = writeln!(text, "  class {name} {{");
            let own =
                |function: &&Function| function.name.resource_and_name().is_some_and(|(of, _)| of == definition.name);
            for function in interface.functions.iter().filter(own) {
                let is_static = !function.name.is_method() && !function.name.is_constructor();
                function_of(text, interface, function, if is_static { "    static " } else { "    " });
            }
            text.push_str("    [Symbol.dispose](): void;\n  }\n");
        }
    }
}

fn function_of(text: &mut String, interface: &Interface, function: &Function, head: &str) {
    let indent = if head.starts_with("    ") { "    " } else { "  " };
    let outcome = outcome(interface, function);
    let mut said = function.docs.clone();
    if outcome.can_fail {
        let payload = outcome.error.map_or_else(String::new, |kind| format!(", payload: {}", spelled(interface, kind)));
        let separator = if said.is_empty() { "" } else { "\n" };
        let _ = write!(said, "{separator}Throws CapabilityError{payload}");
    }
    docs(text, &said, indent);
    let skipped = usize::from(function.name.is_method());
    let parameters: Vec<_> = function
        .params
        .iter()
        .skip(skipped)
        .map(|parameter| match interface.resolved(&parameter.kind) {
            Type::Option(some) if !matches!(interface.resolved(some), Type::Option(_)) => {
                format!("{}: {} | undefined", camel(&parameter.name), spelled(interface, some))
            }
            kind => format!("{}: {}", camel(&parameter.name), spelled(interface, kind)),
        })
        .collect();
    let parameters = parameters.join(", ");
    let name = match function.name.resource_and_name() {
        _ if function.name.is_constructor() => "constructor".to_owned(),
        Some((_, name)) => function_name(name),
        None => function_name(function.name.as_str()),
    };
    let result = if function.name.is_constructor() {
        String::new()
    } else {
        format!(": {}", outcome.value.map_or_else(|| "void".into(), |kind| spelled(interface, kind)))
    };
    let _ = writeln!(text, "{head}{name}({parameters}){result};");
}

fn spelled(interface: &Interface, kind: &Type) -> String {
    match interface.resolved(kind) {
        Type::Bool => "boolean".into(),
        Type::U64 | Type::S64 => "bigint".into(),
        Type::Char | Type::String => "string".into(),
        Type::List(element) => match *interface.resolved(element) {
            Type::U8 => "Uint8Array".into(),
            Type::U16 => "Uint16Array".into(),
            Type::U32 => "Uint32Array".into(),
            Type::U64 => "BigUint64Array".into(),
            Type::S8 => "Int8Array".into(),
            Type::S16 => "Int16Array".into(),
            Type::S32 => "Int32Array".into(),
            Type::S64 => "BigInt64Array".into(),
            Type::F32 => "Float32Array".into(),
            Type::F64 => "Float64Array".into(),
            _ => format!("Array<{}>", spelled(interface, element)),
        },
        Type::Option(some) if matches!(interface.resolved(some), Type::Option(_)) => {
            format!("{{ tag: \"some\"; val: {} }} | {{ tag: \"none\" }}", spelled(interface, some))
        }
        Type::Option(some) => format!("{} | undefined", spelled(interface, some)),
        Type::Tuple(kinds) => {
            format!("[{}]", kinds.iter().map(|kind| spelled(interface, kind)).collect::<Vec<_>>().join(", "))
        }
        Type::Result { ok, error } => {
            let part = |tag: &str, kind: &Option<Box<Type>>| match kind {
                Some(kind) => format!("{{ tag: \"{tag}\"; val: {} }}", spelled(interface, kind)),
                None => format!("{{ tag: \"{tag}\" }}"),
            };
            format!("{} | {}", part("ok", ok), part("err", error))
        }
        Type::Named(place) | Type::Own(place) | Type::Borrow(place) => pascal(&interface.types[*place].name),
        _ => "number".into(),
    }
}

fn docs(text: &mut String, docs: &str, indent: &str) {
    text.push_str(&lines(&comment(docs), indent));
}
