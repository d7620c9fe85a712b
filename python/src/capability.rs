//! Custom interfaces whose functions are in Python.
//!
//! Functions get and return values as JSON, with the names of the WIT; the fields of records have the names of Python
//! (`high_c` for `high-c`), and both are accepted in results.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use isolette::{CallContext as Call, CallFailure, CallReply, CapabilityHandler};
use isolette_interface::{Function, Interface, Kind, Type, read, read_text};
use pyo3::{prelude::*, types::PyDict};
use serde_json::{Map, Value};

use crate::{
    call_context::{self, CallContext, call_on_event_loop},
    callbacks::Callback,
    outcome::invalid,
    process, values,
};

/// How a result is named in errors.
const RESULT: &str = "the result of the function";

/// An interface and its functions.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Capability(pub(crate) isolette::Capability);

/// A function of the package: it returns `{"ok": …}` or `{"error": …}`.
#[derive(Clone)]
struct Implementation {
    function: Callback,
    is_async: bool,
}

#[pymethods]
impl Capability {
    /// `functions` has the functions by the names of Python, and whether each is asynchronous.
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        path: Option<PathBuf>,
        text: Option<&str>,
        functions: HashMap<String, (Py<PyAny>, bool)>,
    ) -> PyResult<Self> {
        process::check()?;
        let read = match (&path, text) {
            (Some(path), _) => read(path, name).map(|(interface, _)| interface),
            (None, text) => read_text(text.unwrap_or_default(), name),
        };
        let interface = read.map_err(|error| invalid(py, error.to_string(), "name an interface of the WIT"))?;
        if interface.types.iter().any(|definition| matches!(definition.kind, Kind::Resource)) {
            let message = format!("`{}` has resources, which are implemented in Rust only", interface.name);
            return Err(invalid(py, message, "docs/capabilities.md says how"));
        }
        let mut functions = functions;
        let mut implementations = Vec::new();
        for function in &interface.functions {
            let wanted = snake(function.name.as_str());
            let Some((function, is_async)) = functions.remove(&wanted) else {
                let message = format!("`{}` has the function `{wanted}`, which is not implemented", interface.name);
                return Err(invalid(py, message, "define a method of that name"));
            };
            implementations.push(Implementation { function: Callback::new(function), is_async });
        }
        let handler = Handler { interface: interface.clone(), implementations };
        Ok(Self(isolette::Capability::new(interface, handler)))
    }

    #[getter]
    fn name(&self) -> String {
        self.0.name().to_string()
    }

    /// The module that programs import, as a Python stub or a TypeScript module.
    fn declaration(&self, py: Python<'_>, language: &str) -> PyResult<String> {
        let language = language.parse().map_err(|error| crate::outcome::exception(py, error))?;
        Ok(self.0.declaration(language))
    }
}

struct Handler {
    interface: Interface,
    implementations: Vec<Implementation>,
}

impl CapabilityHandler for Handler {
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], _context: &Call) -> CallReply {
        let arguments = match self.interface.decode_arguments(&self.interface.functions[function], arguments) {
            Ok(arguments) => self.for_python(function, arguments),
            Err(error) => return CallReply::Ready(Err(error.into())),
        };
        let context = CallContext::current();
        let Implementation { function: callback, is_async } = self.implementations[function].clone();
        if is_async {
            return CallReply::Later(Box::pin(async move {
                self.encoded(function, call_on_event_loop(callback, context, arguments, RESULT).await)
            }));
        }
        let result = callback.call(|py, callback| {
            let keywords = values::from_json(py, &arguments)?;
            let result = call_context::call(context.as_deref(), callback, &[], Some(keywords.cast::<PyDict>()?))?;
            values::to_json(&result, RESULT)
        });
        CallReply::Ready(self.encoded(function, result))
    }

    fn is_asynchronous(&self, function: usize) -> bool {
        self.implementations[function].is_async
    }
}

impl Handler {
    fn for_python(&self, function: usize, arguments: Value) -> Value {
        let Value::Object(mut arguments) = arguments else { return arguments };
        let params = self.interface.functions[function].params.iter();
        let named = params.map(|parameter| {
            let value = arguments.remove(&parameter.name).unwrap_or_default();
            (snake(&parameter.name), renamed(&self.interface, &parameter.kind, value, false))
        });
        Value::Object(named.collect())
    }

    /// Encodes what a function returned, or the error that it raised.
    fn encoded(&self, function: usize, result: Result<Value, String>) -> Result<Vec<u8>, CallFailure> {
        let Function { result: kind, .. } = &self.interface.functions[function];
        let result = result.map_err(CallFailure::Failed)?;
        let mut bytes = Vec::new();
        let Some(kind) = kind else {
            return taken(result).map(|_| bytes).map_err(CallFailure::Failed);
        };
        let value = if matches!(self.interface.resolved(kind), Type::Result { .. }) {
            result
        } else {
            taken(result).map_err(CallFailure::Failed)?
        };
        let value = renamed(&self.interface, kind, value, true);
        self.interface
            .encode_json(kind, &value, "result", &mut bytes)
            .map_err(|mismatch| CallFailure::Failed(format!("its result does not fit the interface: {mismatch}")))?;
        Ok(bytes)
    }
}

/// The value of a function whose type has no errors.
fn taken(result: Value) -> Result<Value, String> {
    let Value::Object(mut result) = result else { return Ok(result) };
    match (result.remove("ok"), result.remove("error")) {
        (Some(value), _) => Ok(value),
        (None, Some(error)) => Err(format!("it failed with {error}, and its type has no errors")),
        (None, None) => Ok(Value::Null),
    }
}

/// The name in Python.
fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// Renames the fields of records: to the names of Python, or to those of the WIT. Cases and flags get the names of the WIT.
fn renamed(interface: &Interface, kind: &Type, value: Value, to_wit: bool) -> Value {
    let inner = |kind: &Type, value| renamed(interface, kind, value, to_wit);
    match (interface.resolved(kind), value) {
        (Type::List(each), Value::Array(items)) => {
            Value::Array(items.into_iter().map(|item| inner(each, item)).collect())
        }
        (Type::Tuple(kinds), Value::Array(items)) if kinds.len() == items.len() => {
            Value::Array(kinds.iter().zip(items).map(|(kind, item)| inner(kind, item)).collect())
        }
        (Type::Option(kind), Value::Object(fields)) if is_option(interface, kind) => {
            each_field(fields, |_| Some(kind), inner)
        }
        (Type::Option(kind), value) => inner(kind, value),
        (Type::Result { ok, error }, Value::Object(fields)) => {
            each_field(fields, |name| if name == "ok" { ok.as_deref() } else { error.as_deref() }, inner)
        }
        (Type::Named(place), value) => match (&interface.types[*place].kind, value) {
            (Kind::Record { fields }, Value::Object(mut values)) => {
                let mut made = Map::new();
                for field in fields {
                    let value = values.remove(&field.name).or_else(|| values.remove(&snake(&field.name)));
                    if let Some(value) = value {
                        let name = if to_wit { field.name.clone() } else { snake(&field.name) };
                        made.insert(name, inner(&field.kind, value));
                    }
                }
                // Those that are too many are reported with the type.
                made.extend(values);
                Value::Object(made)
            }
            (Kind::Variant { cases }, Value::Object(values)) => {
                let case = |name: &str| cases.iter().find(|case| case.name == name || snake(&case.name) == name);
                let made = values.into_iter().map(|(name, value)| match case(&name) {
                    Some(case) => (case.name.clone(), case.kind.iter().fold(value, |value, kind| inner(kind, value))),
                    None => (name, value),
                });
                Value::Object(made.collect())
            }
            (Kind::Variant { cases }, Value::String(name)) => label(cases.iter().map(|case| &case.name), name),
            (Kind::Enum { cases }, Value::String(name)) => label(cases.iter().map(|case| &case.name), name),
            (Kind::Flags { flags }, Value::Array(names)) => {
                let made = names.into_iter().map(|name| match name {
                    Value::String(name) => label(flags.iter().map(|flag| &flag.name), name),
                    other => other,
                });
                Value::Array(made.collect())
            }
            (_, value) => value,
        },
        (_, value) => value,
    }
}

fn is_option(interface: &Interface, kind: &Type) -> bool {
    matches!(interface.resolved(kind), Type::Option(_))
}

fn each_field<'a>(
    fields: Map<String, Value>,
    kind: impl Fn(&str) -> Option<&'a Type>,
    inner: impl Fn(&Type, Value) -> Value,
) -> Value {
    let made = fields.into_iter().map(|(name, value)| {
        let value = kind(&name).into_iter().fold(value, |value, kind| inner(kind, value));
        (name, value)
    });
    Value::Object(made.collect())
}

/// A name of the WIT, for one that may be that of Python.
fn label<'a>(names: impl Iterator<Item = &'a String>, given: String) -> Value {
    let mut names = names;
    let known = names.find(|name| **name == given || snake(name) == given).cloned();
    Value::String(known.unwrap_or(given))
}
