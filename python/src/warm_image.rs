//! Images whose guests start in the state after a set-up program.

use std::{
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use pyo3::{prelude::*, types::PyTuple};

use crate::{
    kept::Kept,
    options::{Options, Prepared},
    outcome::{self, exception},
    process,
    sandbox::Sandbox,
};

/// An image in the making.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct WarmImage(Mutex<Kept<isolette::WarmImage>>);

#[pymethods]
impl WarmImage {
    #[new]
    fn new(py: Python<'_>, name: String, code: String) -> PyResult<Self> {
        process::check()?;
        let image = isolette::WarmImage::new(name, code).map_err(|error| exception(py, error))?;
        Ok(Self(Mutex::new(Kept::new(image))))
    }

    fn set_up<'py>(&self, py: Python<'py>, sandbox: &Sandbox, options: Options<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Prepared { options, control: _control } = options.prepare(py, sandbox.approver())?;
        let result = py.detach(|| self.lock().inner_mut().set_up(sandbox.inner(), options));
        outcome::to_python(py, result.map_err(|error| exception(py, error))?)
    }

    fn save(&self, py: Python<'_>, directory: PathBuf) -> PyResult<()> {
        process::check()?;
        py.detach(|| self.lock().inner_mut().save(directory)).map(drop).map_err(|error| exception(py, error))
    }
}

impl WarmImage {
    fn lock(&self) -> MutexGuard<'_, Kept<isolette::WarmImage>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
