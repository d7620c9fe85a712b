//! Renders an interface as a Python stub.

use std::fmt::Write as _;

use isolette_interface::{Definition, Function, Interface, Kind, Type};

use super::{lines, outcome};
use crate::naming::is_python_keyword;

/// Attribute names that Python exceptions already use.
const TAKEN: [&str; 3] = ["args", "with_traceback", "add_note"];

/// Names of functions, parameters, fields and modules.
pub(super) fn snake(name: &str) -> String {
    usable(name.replace('-', "_").to_ascii_lowercase())
}

fn pascal(name: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    };
    usable(name.split('-').map(word).collect())
}

fn upper(name: &str) -> String {
    name.replace('-', "_").to_ascii_uppercase()
}

fn usable(name: String) -> String {
    if is_python_keyword(&name) { name + "_" } else { name }
}

/// Returns the stub.
pub(super) fn stub(interface: &Interface) -> String {
    let mut text = lines(&interface.docs, "# ");
    for (place, definition) in interface.types.iter().enumerate() {
        definition_of(&mut text, interface, place, definition);
    }
    for function in interface.functions.iter().filter(|function| function.name.resource_and_name().is_none()) {
        function_of(&mut text, interface, function, "");
    }
    text
}

fn definition_of(text: &mut String, interface: &Interface, place: usize, definition: &Definition) {
    let name = pascal(&definition.name);
    let is_error = is_error(interface, place);
    let base = if is_error { "CapabilityError" } else { "" };
    let class =
        |base: &str| if base.is_empty() { format!("class {name}:\n") } else { format!("class {name}({base}):\n") };
    match &definition.kind {
        Kind::Alias { target } => {
            let _ = writeln!(text, "{name} = {}", annotation(interface, target));
            return;
        }
        Kind::Record { fields } => {
            text.push_str("@dataclass\n");
            text.push_str(&class(base));
            text.push_str(&lines(&definition.docs, "    # "));
            let optional = trailing_options(interface, fields.iter().map(|field| &field.kind));
            for (place, field) in fields.iter().enumerate() {
                text.push_str(&lines(&field.docs, "    # "));
                let mut name = snake(&field.name);
                if is_error && TAKEN.contains(&name.as_str()) {
                    name.push('_');
                }
                let default = if place >= optional { " = None" } else { "" };
                let _ = writeln!(text, "    {name}: {}{default}", annotation(interface, &field.kind));
            }
        }
        Kind::Variant { cases } => {
            text.push_str(&class(base));
            text.push_str(&lines(&definition.docs, "    # "));
            for case in cases {
                let value = case
                    .kind
                    .as_ref()
                    .map_or_else(String::new, |kind| format!("value: {}", annotation(interface, kind)));
                let docs = case.docs.lines().next().map_or_else(String::new, |line| format!("  # {line}"));
                let _ = writeln!(text, "    {}({value}){docs}", pascal(&case.name));
            }
        }
        Kind::Enum { cases: labels } | Kind::Flags { flags: labels } => {
            text.push_str(&class(if matches!(definition.kind, Kind::Enum { .. }) { "Enum" } else { "Flag" }));
            text.push_str(&lines(&definition.docs, "    # "));
            for label in labels {
                let docs = label.docs.lines().next().map_or_else(String::new, |line| format!("  # {line}"));
                let _ = writeln!(text, "    {}{docs}", upper(&label.name));
            }
        }
        Kind::Resource => {
            text.push_str(&class(""));
            text.push_str(&lines(&definition.docs, "    # "));
            let own =
                |function: &&Function| function.name.resource_and_name().is_some_and(|(of, _)| of == definition.name);
            for function in interface.functions.iter().filter(own) {
                function_of(text, interface, function, "    ");
            }
            text.push_str("    def close(self) -> None: ...  # or `with`\n");
        }
    }
    text.push('\n');
}

fn function_of(text: &mut String, interface: &Interface, function: &Function, indent: &str) {
    let (mut parameters, mut skipped) = (Vec::new(), 0);
    let name = match function.name.resource_and_name() {
        _ if function.name.is_constructor() => "__init__".to_owned(),
        Some((_, name)) => snake(name),
        None => snake(function.name.as_str()),
    };
    if function.name.is_constructor() || function.name.is_method() {
        parameters.push("self".to_owned());
        skipped = usize::from(function.name.is_method());
    } else if function.name.resource_and_name().is_some() {
        let _ = writeln!(text, "{indent}@staticmethod");
    }
    let optional = trailing_options(interface, function.params.iter().map(|parameter| &parameter.kind));
    parameters.extend(function.params.iter().enumerate().skip(skipped).map(|(place, parameter)| {
        let default = if place >= optional { " = None" } else { "" };
        format!("{}: {}{default}", snake(&parameter.name), annotation(interface, &parameter.kind))
    }));
    let outcome = outcome(interface, function);
    let result = outcome.value.filter(|_| !function.name.is_constructor());
    let result = result.map_or_else(|| "None".into(), |kind| annotation(interface, kind));
    let raises = match outcome.error {
        _ if !outcome.can_fail => String::new(),
        Some(Type::Named(place)) if is_error(interface, *place) => {
            format!("  # raises {}", pascal(&interface.types[*place].name))
        }
        Some(kind) => format!("  # raises CapabilityError, payload: {}", annotation(interface, kind)),
        None => "  # raises CapabilityError".into(),
    };
    let _ = writeln!(text, "{indent}def {name}({}) -> {result}: ...{raises}", parameters.join(", "));
    text.push_str(&lines(&function.docs, &format!("{indent}    # ")));
}

/// The position from which on all parameters are options and may be left out.
fn trailing_options<'a>(
    interface: &Interface,
    kinds: impl DoubleEndedIterator<Item = &'a Type> + ExactSizeIterator,
) -> usize {
    let is_option = |kind: &&Type| matches!(interface.resolved(kind), Type::Option(_));
    let count = kinds.len();
    count - kinds.rev().take_while(is_option).count()
}

/// Whether a type is an exception: records and variants that are the error type of some function.
fn is_error(interface: &Interface, place: usize) -> bool {
    let is_raised = |function| outcome(interface, function).error == Some(&Type::Named(place));
    matches!(interface.types[place].kind, Kind::Record { .. } | Kind::Variant { .. })
        && interface.functions.iter().any(is_raised)
}

fn annotation(interface: &Interface, kind: &Type) -> String {
    match interface.resolved(kind) {
        Type::Bool => "bool".into(),
        Type::F32 | Type::F64 => "float".into(),
        Type::Char | Type::String => "str".into(),
        Type::List(element) if *interface.resolved(element) == Type::U8 => "bytes".into(),
        Type::List(element) => format!("list[{}]", annotation(interface, element)),
        Type::Option(some) if matches!(interface.resolved(some), Type::Option(_)) => {
            format!("Some[{}] | None", annotation(interface, some))
        }
        Type::Option(some) => format!("{} | None", annotation(interface, some)),
        Type::Tuple(kinds) => {
            format!("tuple[{}]", kinds.iter().map(|kind| annotation(interface, kind)).collect::<Vec<_>>().join(", "))
        }
        Type::Result { ok, error } => {
            let [ok, error] =
                [ok, error].map(|kind| kind.as_ref().map_or_else(|| "None".into(), |kind| annotation(interface, kind)));
            format!("Ok[{ok}] | Err[{error}]")
        }
        Type::Named(place) | Type::Own(place) | Type::Borrow(place) => pascal(&interface.types[*place].name),
        _ => "int".into(),
    }
}
