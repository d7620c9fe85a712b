//! How runs end: results and errors of the host for Python.
//!
//! They are one subject, since an error has the result of what the program had done, and reading the files of a result can fail.

use std::path::PathBuf;

use isolette::{Error, ExecutionResult};
use pyo3::{
    exceptions::PySystemError,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyTuple},
};

use crate::{kept::Kept, values};

static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Returns `(fields, output)`.
pub(crate) fn to_python(py: Python<'_>, mut result: ExecutionResult) -> PyResult<Bound<'_, PyTuple>> {
    // It can be long, and is converted once.
    let value = result.value.take();
    let fields = values::serialized(py, &result)?;
    let fields = fields.cast::<PyDict>()?;
    if let Some(value) = &value {
        fields.set_item("value", values::from_json(py, value)?)?;
    }
    result.value = value;
    (fields, Output::new(result)).into_pyobject(py)
}

/// The same for the outcome of an asynchronous run.
pub(crate) fn of_run(py: Python<'_>, outcome: Result<ExecutionResult, Error>) -> PyResult<Py<PyAny>> {
    to_python(py, outcome.map_err(|error| exception(py, error))?).map(|result| result.into_any().unbind())
}

/// Makes the exception of an error. What a program had done before it was ended goes with it.
pub(crate) fn exception(py: Python<'_>, error: Error) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let details = PyDict::new(py);
        if let Error::LimitExceeded { what, limit, used, .. } = &error {
            details.set_item("what", *what)?;
            details.set_item("limit", *limit)?;
            details.set_item("used", *used)?;
        }
        let (name, text) = (error.name(), error.to_string());
        let partial = partial(error).map(|partial| to_python(py, partial)).transpose()?;
        let make = MAKE.import(py, "isolette.errors", "make")?;
        Ok(PyErr::from_value(make.call1((name, text, partial, details))?))
    };
    made().unwrap_or_else(|error| error)
}

/// An exception for a mistake of the caller.
pub(crate) fn invalid(py: Python<'_>, message: impl Into<String>, hint: &str) -> PyErr {
    exception(py, Error::invalid(message, hint))
}

/// An exception where an object of the module is in a state that it cannot be in.
pub(crate) fn internal(message: &str) -> PyErr {
    PySystemError::new_err(message.to_owned())
}

fn partial(mut error: Error) -> Option<ExecutionResult> {
    error.partial_mut().map(std::mem::take)
}

/// The files that were in `/output` when a program ended.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Output(Kept<ExecutionResult>);

impl Output {
    pub(crate) fn new(result: ExecutionResult) -> Self {
        Self(Kept::new(result))
    }

    pub(crate) fn inner(&self) -> &ExecutionResult {
        &self.0
    }
}

#[pymethods]
impl Output {
    fn read<'py>(&self, py: Python<'py>, path: &str, limit: u64) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.0.read_output(path, limit)).map_err(|error| exception(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::serialized(py, &py.detach(|| self.0.list_output()))
    }

    fn path(&self) -> Option<PathBuf> {
        self.0.output_path().map(ToOwned::to_owned)
    }
}
