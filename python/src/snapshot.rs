//! Saved states of sessions.

use std::path::PathBuf;

use isolette::{Error, SnapshotKey};
use pyo3::{prelude::*, types::PyBytes};

use crate::{kept::Kept, outcome::exception, process};

/// The state of a session.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Snapshot(Kept<isolette::Snapshot>);

impl Snapshot {
    pub(crate) fn new(snapshot: isolette::Snapshot) -> Self {
        Self(Kept::new(snapshot))
    }

    pub(crate) fn inner(&self) -> &isolette::Snapshot {
        &self.0
    }
}

/// The key of the caller, or that of the user.
pub(crate) fn key(bytes: Option<[u8; 32]>) -> Result<SnapshotKey, Error> {
    bytes.map_or_else(SnapshotKey::of_user, |bytes| Ok(SnapshotKey::new(bytes)))
}

#[pymethods]
impl Snapshot {
    #[getter]
    fn size(&self) -> u64 {
        self.0.size()
    }

    #[getter]
    fn language(&self) -> &'static str {
        self.0.language().name()
    }

    #[getter]
    fn isolation(&self) -> &'static str {
        self.0.isolation().as_str()
    }

    #[getter]
    fn image(&self) -> &str {
        self.0.image()
    }

    fn save(&self, py: Python<'_>, path: PathBuf, with_key: Option<[u8; 32]>) -> PyResult<()> {
        process::check()?;
        py.detach(|| self.0.save_with(path, &key(with_key)?)).map_err(|error| exception(py, error))
    }

    fn to_bytes<'py>(&self, py: Python<'py>, with_key: Option<[u8; 32]>) -> PyResult<Bound<'py, PyBytes>> {
        process::check()?;
        let bytes = py.detach(|| self.0.to_bytes(&key(with_key)?)).map_err(|error| exception(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, with_key: Option<[u8; 32]>) -> PyResult<Self> {
        process::check()?;
        let loaded = py.detach(|| isolette::Snapshot::load_with(path, &key(with_key)?));
        loaded.map(Self::new).map_err(|error| exception(py, error))
    }

    #[staticmethod]
    fn load_untrusted(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        process::check()?;
        let loaded = py.detach(|| isolette::Snapshot::load_untrusted(path));
        loaded.map(Self::new).map_err(|error| exception(py, error))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: Vec<u8>, with_key: Option<[u8; 32]>) -> PyResult<Self> {
        process::check()?;
        let loaded = py.detach(|| isolette::Snapshot::from_bytes(bytes, &key(with_key)?));
        loaded.map(Self::new).map_err(|error| exception(py, error))
    }
}
