//! Sessions.

use std::sync::Arc;

use pyo3::{
    prelude::*,
    types::{PyBytes, PyTuple},
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{
    approval::Approver,
    cancellation::CancellationToken,
    kept::Kept,
    options::{Options, Prepared},
    outcome::{self, exception, invalid},
    process,
    snapshot::Snapshot,
    values,
    waiting::{start, wait},
};

/// The session, until it is closed.
type Slot = Arc<Mutex<Option<Kept<isolette::Session>>>>;

/// A guest that keeps its state. It does one thing at a time.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Session {
    slot: Slot,
    identifier: String,
    approver: Option<Approver>,
}

/// A session that is in use.
struct InUse(OwnedMutexGuard<Option<Kept<isolette::Session>>>);

impl InUse {
    fn session(&mut self) -> &mut isolette::Session {
        // It is only made of sessions that are open, and nothing closes it meanwhile.
        self.0.as_mut().expect("the session is open").inner_mut()
    }
}

impl Session {
    pub(crate) fn new(session: isolette::Session, approver: Option<Approver>) -> Self {
        let identifier = session.identifier().to_string();
        Self { slot: Arc::new(Mutex::new(Some(Kept::new(session)))), identifier, approver }
    }

    fn in_use(&self, py: Python<'_>) -> PyResult<InUse> {
        process::check()?;
        let session = self.lock(py)?;
        if session.is_none() {
            return Err(invalid(py, "the session is closed", "start a new one with `Sandbox.session`"));
        }
        Ok(InUse(session))
    }

    fn lock(&self, py: Python<'_>) -> PyResult<OwnedMutexGuard<Option<Kept<isolette::Session>>>> {
        Arc::clone(&self.slot).try_lock_owned().map_err(|_| {
            invalid(py, "the session runs another program", "wait for its end, or use one session for each thread")
        })
    }
}

#[pymethods]
impl Session {
    #[getter]
    fn identifier(&self) -> &str {
        &self.identifier
    }

    fn run<'py>(&self, py: Python<'py>, code: &str, options: Options<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let mut session = self.in_use(py)?;
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let ended = wait(py, &control, session.session().run_async(code, options))?;
        outcome::to_python(py, ended.map_err(|error| exception(py, error))?)
    }

    fn run_async(
        &self,
        py: Python<'_>,
        code: String,
        options: Options<'_>,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let mut session = self.in_use(py)?;
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let run = async move { session.session().run_async(&code, options).await };
        start(run, control, done, outcome::of_run)
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let mut session = self.in_use(py)?;
        py.detach(|| session.session().snapshot()).map(Snapshot::new).map_err(|error| exception(py, error))
    }

    fn restore(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<()> {
        let mut session = self.in_use(py)?;
        py.detach(|| session.session().restore(snapshot.inner())).map_err(|error| exception(py, error))
    }

    fn fork(&self, py: Python<'_>, count: usize) -> PyResult<Vec<Self>> {
        let mut session = self.in_use(py)?;
        let forks = py.detach(|| session.session().fork(count)).map_err(|error| exception(py, error))?;
        Ok(forks.into_iter().map(|fork| Self::new(fork, self.approver.clone())).collect())
    }

    fn read_file<'py>(&self, py: Python<'py>, path: &str, limit: u64) -> PyResult<Bound<'py, PyBytes>> {
        let mut session = self.in_use(py)?;
        let bytes = py.detach(|| session.session().read_file(path, limit)).map_err(|error| exception(py, error))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn write_file(&self, py: Python<'_>, path: &str, bytes: &[u8]) -> PyResult<()> {
        let mut session = self.in_use(py)?;
        py.detach(|| session.session().write_file(path, bytes)).map_err(|error| exception(py, error))
    }

    /// Returns the entries, and whether there are more.
    fn list_files<'py>(&self, py: Python<'py>, path: &str) -> PyResult<(Bound<'py, PyAny>, bool)> {
        let mut session = self.in_use(py)?;
        let listed = py.detach(|| session.session().list_files(path));
        let (entries, are_more) = listed.map_err(|error| exception(py, error))?;
        Ok((values::serialized(py, &entries)?, are_more))
    }

    /// Whether no further program can be run. `None` while one runs.
    fn ended(&self) -> Option<bool> {
        let session = self.slot.try_lock().ok()?;
        Some(session.as_ref().is_none_or(|session| session.ended()))
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if process::is_forked() {
            return Ok(());
        }
        let session = self.lock(py)?.take();
        py.detach(|| drop(session));
        Ok(())
    }
}
