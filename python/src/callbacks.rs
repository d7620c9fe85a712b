//! Functions of Python that threads of the host call.

use std::sync::Arc;

use pyo3::{prelude::*, sync::PyOnceLock};

use crate::{live::LiveCall, thread_state};

static TOOL_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// A function of Python.
#[derive(Clone)]
pub(crate) struct Callback(Arc<Py<PyAny>>);

impl Callback {
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        Self(Arc::new(function))
    }

    pub(crate) fn function(&self, py: Python<'_>) -> Py<PyAny> {
        self.0.clone_ref(py)
    }

    /// Calls the function. `Err` describes the exception that it raised.
    pub(crate) fn call<T>(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        attached(|py| call(py, self.0.bind(py)).map_err(|error| describe(py, &error)))?
    }
}

/// Does something with the interpreter, unless it ends.
pub(crate) fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> Result<T, String> {
    const ENDS: &str = "the interpreter of the host ends";
    let _call = LiveCall::new().ok_or(ENDS)?;
    thread_state::keep();
    Python::try_attach(work).ok_or_else(|| ENDS.to_owned())
}

/// What a program, or a person, reads about an exception.
pub(crate) fn describe(py: Python<'_>, error: &PyErr) -> String {
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    let is_tool_error = TOOL_ERROR.import(py, "isolette.errors", "ToolError");
    if is_tool_error.is_ok_and(|class| error.is_instance(py, class)) && !text.is_empty() {
        return text;
    }
    let kind = error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    if text.is_empty() { kind } else { format!("{kind}: {text}") }
}
