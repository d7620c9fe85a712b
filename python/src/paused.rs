//! Programs that wait for answers.

use std::{path::PathBuf, sync::Arc};

use isolette::{Answer, Error, Step};
use pyo3::{prelude::*, types::PyBytes};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{
    call_context::Caller,
    cancellation::CancellationToken,
    kept::Kept,
    options::Control,
    outcome::{self, exception, internal, invalid},
    process,
    snapshot::key,
    values,
    waiting::{start, wait},
};

/// The program, until it is resumed or closed.
type Slot = Arc<Mutex<Option<Kept<isolette::PausedRun>>>>;

/// A program that waits for the answers to calls.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct PausedRun {
    slot: Slot,
    control: Control,
}

/// Returns the result of a program that has ended, else the program that waits.
pub(crate) fn step(py: Python<'_>, step: Result<Step, Error>, control: Control) -> PyResult<Bound<'_, PyAny>> {
    match step.map_err(|error| exception(py, error))? {
        Step::Done(result) => Ok(outcome::to_python(py, result)?.into_any()),
        Step::Paused(paused) => Ok(Bound::new(py, PausedRun::new(paused, control))?.into_any()),
        _ => Err(internal("a step that this version does not know")),
    }
}

/// The same for an asynchronous run.
pub(crate) fn outcome(control: Control) -> impl FnOnce(Python<'_>, Result<Step, Error>) -> PyResult<Py<PyAny>> {
    |py, outcome| step(py, outcome, control).map(Bound::unbind)
}

impl PausedRun {
    pub(crate) fn new(paused: isolette::PausedRun, control: Control) -> Self {
        Self { slot: Arc::new(Mutex::new(Some(Kept::new(paused)))), control }
    }

    fn lock(&self, py: Python<'_>) -> PyResult<OwnedMutexGuard<Option<Kept<isolette::PausedRun>>>> {
        process::check()?;
        let locked = Arc::clone(&self.slot).try_lock_owned();
        locked.map_err(|_| invalid(py, "the program is being resumed", "wait until it ends or is paused again"))
    }

    /// Does something with the program.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut isolette::PausedRun) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let mut slot = self.lock(py)?;
        let Some(paused) = slot.as_mut() else { return Err(is_gone(py)) };
        py.detach(|| work(paused.inner_mut())).map_err(|error| exception(py, error))
    }
}

fn is_gone(py: Python<'_>) -> PyErr {
    invalid(py, "the program has been resumed or closed", "use what `resume` returned")
}

/// Answers as `[(id, answer)]`, with each answer as JSON.
pub(crate) fn answers(py: Python<'_>, answers: &Bound<'_, PyAny>) -> PyResult<Vec<(u64, Answer)>> {
    let answers = values::to_json(answers, "answers")?;
    serde_json::from_value(answers).map_err(|error| {
        invalid(py, format!("`answers`: {error}"), "pass `Answer` objects by the identifiers of calls")
    })
}

#[pymethods]
impl PausedRun {
    fn calls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let slot = self.lock(py)?;
        let paused = slot.as_ref().ok_or_else(|| is_gone(py))?;
        values::serialized(py, &paused.calls())
    }

    fn resume<'py>(
        &self,
        py: Python<'py>,
        answered: &Bound<'py, PyAny>,
        caller: Caller,
    ) -> PyResult<Bound<'py, PyAny>> {
        let answered = answers(py, answered)?;
        let mut slot = self.lock(py)?;
        let Some(paused) = slot.as_mut() else { return Err(is_gone(py)) };
        self.control.context.pass_to(caller);
        let next = wait(py, &self.control, paused.inner_mut().resume_async(answered))?;
        if next.is_ok() {
            *slot = None;
        }
        step(py, next, self.control.clone())
    }

    fn resume_async(
        &self,
        py: Python<'_>,
        answered: &Bound<'_, PyAny>,
        caller: Caller,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let answered = answers(py, answered)?;
        let mut slot = self.lock(py)?;
        if slot.is_none() {
            return Err(is_gone(py));
        }
        self.control.context.pass_to(caller);
        let resumed = async move {
            let paused = slot.as_mut().expect("it was checked, and the slot is locked");
            let next = paused.inner_mut().resume_async(answered).await;
            if next.is_ok() {
                *slot = None;
            }
            next
        };
        start(resumed, self.control.clone(), done, outcome(self.control.clone()))
    }

    fn save(&self, py: Python<'_>, path: PathBuf, with_key: Option<[u8; 32]>) -> PyResult<()> {
        self.with(py, |paused| paused.save_with(path, &key(with_key)?))
    }

    fn to_bytes<'py>(&self, py: Python<'py>, with_key: Option<[u8; 32]>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.with(py, |paused| paused.to_bytes(&key(with_key)?))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn forget_file(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |paused| {
            paused.forget_file();
            Ok(())
        })
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        if process::is_forked() {
            return Ok(());
        }
        let paused = self.lock(py)?.take();
        py.detach(|| drop(paused));
        Ok(())
    }
}

/// A paused program of a file.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct SavedRun(isolette::SavedRun);

impl SavedRun {
    pub(crate) fn inner(&self) -> &isolette::SavedRun {
        &self.0
    }
}

#[pymethods]
impl SavedRun {
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, with_key: Option<[u8; 32]>) -> PyResult<Self> {
        process::check()?;
        let loaded = py.detach(|| isolette::SavedRun::load_with(path, &key(with_key)?));
        loaded.map(Self).map_err(|error| exception(py, error))
    }

    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: Vec<u8>, with_key: Option<[u8; 32]>) -> PyResult<Self> {
        process::check()?;
        let loaded = py.detach(|| isolette::SavedRun::from_bytes(bytes, &key(with_key)?));
        loaded.map(Self).map_err(|error| exception(py, error))
    }

    fn calls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::serialized(py, &self.0.calls())
    }

    #[getter]
    fn run(&self) -> String {
        self.0.run().to_string()
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
}
