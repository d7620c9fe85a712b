//! Tools whose function is in Python.

use isolette::ToolHints;
use pyo3::{prelude::*, types::PyDict};
use serde_json::Value;

use crate::{
    call_context::{self, CallContext, call_on_event_loop},
    callbacks::Callback,
    outcome::exception,
    values,
};

/// How a result is named in errors.
const RESULT: &str = "the result of the tool";

/// A function that programs can call.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Tool(pub(crate) isolette::Tool);

/// What a tool is made of.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Definition<'py> {
    name: String,
    description: String,
    input_schema: Bound<'py, PyAny>,
    output_schema: Option<Bound<'py, PyAny>>,
    /// `None` for a deferred tool.
    function: Option<Py<PyAny>>,
    is_async: bool,
    tags: Vec<String>,
    needs_approval: bool,
    strict_results: bool,
    read_only: Option<bool>,
    destructive: Option<bool>,
    idempotent: Option<bool>,
    open_world: Option<bool>,
}

#[pymethods]
impl Tool {
    #[new]
    fn new(py: Python<'_>, definition: Definition<'_>) -> PyResult<Self> {
        let schema = values::to_json(&definition.input_schema, "input_schema")?;
        let (name, description) = (&definition.name, &definition.description);
        let tool = match definition.function {
            None => isolette::Tool::deferred(name, description, schema),
            Some(function) if definition.is_async => {
                let function = Callback::new(function);
                isolette::Tool::from_schema_async(name, description, schema, move |arguments| {
                    call_on_event_loop(function.clone(), CallContext::current(), arguments, RESULT)
                })
            }
            Some(function) => {
                let function = Callback::new(function);
                isolette::Tool::from_schema(name, description, schema, move |arguments| call(&function, &arguments))
            }
        };
        let mut tool = tool.map_err(|error| exception(py, error))?;
        if let Some(schema) = definition.output_schema {
            tool = tool.with_output_schema(values::to_json(&schema, "output_schema")?);
        }
        if definition.strict_results {
            tool = tool.with_strict_results();
        }
        if definition.needs_approval {
            tool = tool.with_approval();
        }
        let mut hints = ToolHints::default();
        (hints.read_only, hints.destructive) = (definition.read_only, definition.destructive);
        (hints.idempotent, hints.open_world) = (definition.idempotent, definition.open_world);
        tool = definition.tags.into_iter().fold(tool.with_hints(hints), isolette::Tool::with_tag);
        Ok(Self(tool))
    }
}

/// Calls a function on the thread of the guest.
fn call(function: &Callback, arguments: &Value) -> Result<Value, String> {
    let context = CallContext::current();
    function.call(|py, function| {
        let keywords = values::from_json(py, arguments)?;
        let result = call_context::call(context.as_deref(), function, &[], Some(keywords.cast::<PyDict>()?))?;
        values::to_json(&result, RESULT)
    })
}
