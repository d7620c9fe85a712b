//! The files in `/output`, which a result refers to.

use std::path::PathBuf;

use isolette::ExecutionResult;
use pyo3::{prelude::*, types::PyBytes};

use crate::{errors::exception, kept::Kept, values};

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
