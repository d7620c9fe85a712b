//! Tokens that cancel runs.

use pyo3::prelude::*;

/// Cancels runs, from any thread.
#[pyclass(frozen, module = "isolette._native")]
#[derive(Default)]
pub(crate) struct CancellationToken(pub(crate) isolette::CancellationToken);

#[pymethods]
impl CancellationToken {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn cancel(&self) {
        self.0.cancel();
    }

    #[getter]
    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}
