//! Audits and metrics.

use std::{io, path::PathBuf};

use isolette::audit::{AuditRecord, AuditSink};
use pyo3::{prelude::*, types::PyList};

use crate::{callbacks::Callback, kept::Kept, outcome::exception, process, values};

/// An audit that is written to a file, or passed to a function.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Audit(Kept<isolette::audit::Audit>);

impl Audit {
    pub(crate) fn inner(&self) -> &isolette::audit::Audit {
        &self.0
    }
}

#[pymethods]
impl Audit {
    #[staticmethod]
    fn file(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Self::of(py, isolette::audit::Audit::file(path))
    }

    #[staticmethod]
    fn function(py: Python<'_>, function: Py<PyAny>) -> PyResult<Self> {
        Self::of(py, isolette::audit::Audit::new(Function(Callback::new(function))))
    }

    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        process::check()?;
        py.detach(|| self.0.flush()).map_err(|error| exception(py, error))
    }
}

impl Audit {
    fn of(py: Python<'_>, audit: Result<isolette::audit::Audit, isolette::Error>) -> PyResult<Self> {
        process::check()?;
        audit.map(|audit| Self(Kept::new(audit))).map_err(|error| exception(py, error))
    }
}

/// Passes records to a function, as lists of dictionaries.
struct Function(Callback);

impl AuditSink for Function {
    fn write(&mut self, records: &[AuditRecord]) -> io::Result<()> {
        self.0
            .call(|py, function| {
                let list = PyList::empty(py);
                for record in records {
                    list.append(values::serialized(py, record)?)?;
                }
                function.call1((list,)).map(drop)
            })
            .map_err(io::Error::other)
    }
}

/// Counters of runs, calls and guests.
#[pyclass(frozen, module = "isolette._native")]
#[derive(Default)]
pub(crate) struct Metrics(pub(crate) isolette::Metrics);

#[pymethods]
impl Metrics {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    #[classattr]
    const CONTENT_TYPE: &'static str = isolette::Metrics::CONTENT_TYPE;

    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.text())
    }
}
