//! Custom interfaces whose functions are in Python.

use std::{collections::HashMap, path::PathBuf, sync::Arc};

use isolette::{CallContext as Call, CallFailure, CallReply, CapabilityHandler, encoding::Decoder};
use isolette_interface::{Function, Interface, Kind, Type, read, read_text};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyDict};

use crate::{
    call_context::{self, CallContext, on_event_loop},
    callbacks::{Callback, attached, describe},
    interface_values::{Conversion, Failure, Values, snake},
    outcome::invalid,
    process,
};

static CAPABILITY_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// An interface and its functions.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Capability(pub(crate) isolette::Capability);

/// The class of a resource, and whether each of its methods is asynchronous.
type Class = (Py<PyAny>, HashMap<String, bool>);

/// How a function of the interface is called.
#[derive(Clone)]
struct Implementation {
    target: Target,
    is_async: bool,
}

#[derive(Clone)]
enum Target {
    Function(Callback),
    /// The method of this name, of the first argument.
    Method(String),
}

#[pymethods]
impl Capability {
    /// `functions` has the functions by the names of Python, and whether each is asynchronous; `resources` has the classes by the
    /// names of the WIT, and whether each method is asynchronous.
    #[new]
    fn new(
        py: Python<'_>,
        name: &str,
        path: Option<PathBuf>,
        text: Option<&str>,
        functions: HashMap<String, (Py<PyAny>, bool)>,
        resources: HashMap<String, Class>,
    ) -> PyResult<Self> {
        process::check()?;
        let read = match (&path, text) {
            (Some(path), _) => read(path, name).map(|(interface, _)| interface),
            (None, text) => read_text(text.unwrap_or_default(), name),
        };
        let interface = read.map_err(|error| invalid(py, error.to_string(), "name an interface of the WIT"))?;
        let mut functions = functions;
        let implementation = |function| implementation(py, &interface, function, &mut functions, &resources);
        let implementations = interface.functions.iter().map(implementation).collect::<PyResult<_>>()?;
        let classes = classes(py, &interface, resources)?;
        let handler = Handler { values: Values { interface: interface.clone(), classes }, implementations };
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

/// The classes of the resources, by their index among the types.
fn classes(
    py: Python<'_>,
    interface: &Interface,
    mut resources: HashMap<String, Class>,
) -> PyResult<Vec<Option<Py<PyAny>>>> {
    let mut classes = Vec::new();
    for definition in &interface.types {
        let class = match definition.kind {
            Kind::Resource => Some(resources.remove(&definition.name).ok_or_else(|| {
                let message =
                    format!("`{}` has the resource `{}`, which no class implements", interface.name, definition.name);
                let hint = format!("name its class: resources={{\"{}\": …}}", definition.name);
                invalid(py, message, &hint)
            })?),
            _ => None,
        };
        classes.push(class.map(|(class, _)| class));
    }
    match resources.into_keys().min() {
        Some(other) => {
            let message = format!("`{}` has no resource `{other}`", interface.name);
            Err(invalid(py, message, "name resources as in the WIT"))
        }
        None => Ok(classes),
    }
}

/// Finds what implements a function. The names of constructors and of static functions are those of Rust.
fn implementation(
    py: Python<'_>,
    interface: &Interface,
    function: &Function,
    functions: &mut HashMap<String, (Py<PyAny>, bool)>,
    resources: &HashMap<String, Class>,
) -> PyResult<Implementation> {
    let missing = |wanted: &str| {
        let message = format!("`{}` has the function `{wanted}`, which is not implemented", interface.name);
        invalid(py, message, "define a method of that name")
    };
    let wanted = match function.name.resource_and_name() {
        Some((resource, method)) if function.name.is_method() => {
            let name = snake(method);
            // That a resource has no class is said for all of its methods at once.
            let is_async = match resources.get(resource) {
                Some((_, methods)) => *methods.get(&name).ok_or_else(|| missing(&format!("{resource}.{name}")))?,
                None => false,
            };
            return Ok(Implementation { target: Target::Method(name), is_async });
        }
        Some((resource, _)) if function.name.is_constructor() => snake(&format!("new-{resource}")),
        Some((resource, name)) => snake(&format!("{resource}-{name}")),
        None => snake(function.name.as_str()),
    };
    let (function, is_async) = functions.remove(&wanted).ok_or_else(|| missing(&wanted))?;
    Ok(Implementation { target: Target::Function(Callback::new(function)), is_async })
}

struct Handler {
    values: Values,
    implementations: Vec<Implementation>,
}

impl CapabilityHandler for Handler {
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], call: &Call) -> CallReply {
        let context = CallContext::current();
        if self.implementations[function].is_async {
            let prepared = attached(|py| {
                let (callable, keywords) = self.prepared(py, function, arguments, call)?;
                Ok((callable.unbind(), keywords.into_any().unbind()))
            });
            let prepared = match prepared.map_err(CallFailure::Failed).flatten() {
                Ok(prepared) => prepared,
                Err(failure) => return CallReply::Ready(Err(failure)),
            };
            let call = call.clone();
            return CallReply::Later(Box::pin(async move {
                let finish =
                    move |py: Python<'_>, result: PyResult<Bound<'_, PyAny>>| self.encoded(py, function, result, &call);
                let encoded = on_event_loop(context, |_| Ok(prepared), finish).await;
                encoded.map_err(CallFailure::Failed).flatten()
            }));
        }
        let result = attached(|py| {
            let (callable, keywords) = self.prepared(py, function, arguments, call)?;
            let result = call_context::call(context.as_deref(), &callable, &[], Some(&keywords));
            self.encoded(py, function, result, call)
        });
        CallReply::Ready(result.map_err(CallFailure::Failed).flatten())
    }

    fn is_asynchronous(&self, function: usize) -> bool {
        self.implementations[function].is_async
    }
}

impl Handler {
    fn conversion<'a>(&'a self, call: &'a Call) -> Conversion<'a> {
        Conversion { values: &self.values, resources: call.resources() }
    }

    /// What is called, and its arguments by name.
    fn prepared<'py>(
        &self,
        py: Python<'py>,
        function: usize,
        arguments: &[u8],
        call: &Call,
    ) -> Result<(Bound<'py, PyAny>, Bound<'py, PyDict>), CallFailure> {
        let conversion = self.conversion(call);
        let python = |error: PyErr| CallFailure::Failed(describe(py, &error));
        let mut decoder = Decoder::new(arguments);
        let mut decode = |kind: &Type| {
            conversion.decode(py, kind, &mut decoder).map_err(|failure| match failure {
                Failure::Invalid(error) => CallFailure::Invalid(error),
                Failure::Python(error) => python(error),
            })
        };
        let mut parameters = self.values.interface.functions[function].params.iter();
        let callable = match &self.implementations[function].target {
            Target::Function(callback) => callback.function(py).into_bound(py),
            Target::Method(name) => {
                let parameter = parameters.next();
                let parameter = parameter.ok_or_else(|| CallFailure::Failed("the method has no resource".into()))?;
                decode(&parameter.kind)?.getattr(name.as_str()).map_err(python)?
            }
        };
        let keywords = PyDict::new(py);
        for parameter in parameters {
            keywords.set_item(snake(&parameter.name), decode(&parameter.kind)?).map_err(python)?;
        }
        decoder.end()?;
        Ok((callable, keywords))
    }

    /// Encodes what a function returned, or the error that it raised.
    fn encoded(
        &self,
        py: Python<'_>,
        function: usize,
        result: PyResult<Bound<'_, PyAny>>,
        call: &Call,
    ) -> Result<Vec<u8>, CallFailure> {
        let kind = self.values.interface.functions[function].result.as_ref();
        let conversion = self.conversion(call);
        let resolved = kind.map(|kind| self.values.interface.resolved(kind));
        let mut bytes = Vec::new();
        let encoded = match (result, kind, resolved) {
            (Ok(value), _, Some(Type::Result { ok, error })) => {
                conversion.encode_result(Ok(&value), (ok.as_deref(), error.as_deref()), "result", &mut bytes)
            }
            (Ok(value), Some(kind), _) => conversion.encode(kind, &value, "result", &mut bytes),
            (Ok(_), None, _) => Ok(()),
            (Err(raised), _, resolved) => match (error_value(py, &raised), resolved) {
                (None, _) => return Err(CallFailure::Failed(describe(py, &raised))),
                (Some(value), Some(Type::Result { ok, error })) => {
                    conversion.encode_result(Err(&value), (ok.as_deref(), error.as_deref()), "result", &mut bytes)
                }
                (Some(value), _) => {
                    let message = format!("it failed with {value}, and its type has no errors");
                    return Err(CallFailure::Failed(message));
                }
            },
        };
        encoded.map_err(|error| {
            let reason = error.value(py).str().map_or_else(|_| describe(py, &error), |text| text.to_string());
            CallFailure::Failed(format!("its result does not fit the interface: {reason}"))
        })?;
        Ok(bytes)
    }
}

/// The value of a `CapabilityError`.
fn error_value<'py>(py: Python<'py>, error: &PyErr) -> Option<Bound<'py, PyAny>> {
    let class = CAPABILITY_ERROR.import(py, "isolette._capability", "CapabilityError").ok()?;
    error.is_instance(py, class).then(|| error.value(py).getattr("value").ok())?
}
