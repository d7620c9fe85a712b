//! Errors of the host as Python exceptions: the classes of `isolette/_errors.py`.

use isolette::{Error, ExecutionResult};
use pyo3::{exceptions::PySystemError, prelude::*, sync::PyOnceLock, types::PyDict};

use crate::result;

static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

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
        let partial = partial(error).map(|partial| result::to_python(py, partial)).transpose()?;
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
