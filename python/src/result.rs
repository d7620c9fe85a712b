//! Results of programs for Python: a dictionary with the fields of the result, and what reads its files.

use isolette::{Error, ExecutionResult};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{errors::exception, output::Output, values};

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
pub(crate) fn outcome(py: Python<'_>, outcome: Result<ExecutionResult, Error>) -> PyResult<Py<PyAny>> {
    to_python(py, outcome.map_err(|error| exception(py, error))?).map(|result| result.into_any().unbind())
}
