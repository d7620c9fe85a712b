//! Sessions.

use std::{path::PathBuf, sync::Arc};

use isolette::{Error, SessionStep};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyTuple},
};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::{
    approval::Approver,
    call_context::Caller,
    cancellation::CancellationToken,
    kept::Kept,
    options::{Control, Options, Prepared},
    outcome::{self, exception, internal, invalid},
    paused::{SavedRun, answers},
    process,
    snapshot::{Snapshot, key},
    values,
    waiting::{start, wait},
};

/// The session, until it is closed.
type Slot = Arc<Mutex<Option<Open>>>;

/// A session that is open.
struct Open {
    session: Kept<isolette::Session>,
    /// That of the program that waits for answers, if one does.
    waiting: Option<Control>,
}

/// A guest that keeps its state. It does one thing at a time.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Session {
    slot: Slot,
    identifier: String,
    approver: Option<Approver>,
}

/// A session that is in use.
struct InUse(OwnedMutexGuard<Option<Open>>);

impl InUse {
    fn open(&mut self) -> &mut Open {
        // It is only made of sessions that are open, and nothing closes it meanwhile.
        self.0.as_mut().expect("the session is open")
    }

    fn session(&mut self) -> &mut isolette::Session {
        self.open().session.inner_mut()
    }

    /// Keeps what controls a program as long as it waits for answers.
    fn keep(&mut self, control: Control) {
        let is_waiting = !self.session().paused_calls().is_empty();
        self.open().waiting = is_waiting.then_some(control);
    }

    /// What controls the program that waits.
    fn waiting(&mut self, py: Python<'_>) -> PyResult<Control> {
        self.open()
            .waiting
            .clone()
            .ok_or_else(|| invalid(py, "no program of the session waits for answers", "start one with `Session.start`"))
    }
}

/// Returns the result of a program that has ended, else `None`.
fn step(py: Python<'_>, step: Result<SessionStep, Error>) -> PyResult<Option<Bound<'_, PyTuple>>> {
    match step.map_err(|error| exception(py, error))? {
        SessionStep::Done(result) => outcome::to_python(py, result).map(Some),
        SessionStep::Paused => Ok(None),
        _ => Err(internal("a step that this version does not know")),
    }
}

/// The same for an asynchronous run.
fn of_step(py: Python<'_>, outcome: Result<SessionStep, Error>) -> PyResult<Py<PyAny>> {
    Ok(step(py, outcome)?.into_pyobject(py)?.unbind())
}

impl Session {
    pub(crate) fn new(session: isolette::Session, approver: Option<Approver>) -> Self {
        let identifier = session.identifier().to_string();
        let open = Open { session: Kept::new(session), waiting: None };
        Self { slot: Arc::new(Mutex::new(Some(open))), identifier, approver }
    }

    fn in_use(&self, py: Python<'_>) -> PyResult<InUse> {
        process::check()?;
        let session = self.lock(py)?;
        if session.is_none() {
            return Err(invalid(py, "the session is closed", "start a new one with `Sandbox.session`"));
        }
        Ok(InUse(session))
    }

    fn lock(&self, py: Python<'_>) -> PyResult<OwnedMutexGuard<Option<Open>>> {
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

    /// Returns `None` if the program waits for answers.
    fn start<'py>(&self, py: Python<'py>, code: &str, options: Options<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let mut session = self.in_use(py)?;
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let next = wait(py, &control, session.session().start_async(code, options));
        session.keep(control);
        step(py, next?)
    }

    fn start_async(
        &self,
        py: Python<'_>,
        code: String,
        options: Options<'_>,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let mut session = self.in_use(py)?;
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let kept = control.clone();
        let started = async move {
            let next = session.session().start_async(&code, options).await;
            session.keep(kept);
            next
        };
        start(started, control, done, of_step)
    }

    fn paused_calls<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::serialized(py, &self.in_use(py)?.session().paused_calls())
    }

    fn resume<'py>(
        &self,
        py: Python<'py>,
        answered: &Bound<'py, PyAny>,
        caller: Caller,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let answered = answers(py, answered)?;
        let mut session = self.in_use(py)?;
        let control = session.waiting(py)?;
        control.context.pass_to(caller);
        let next = wait(py, &control, session.session().resume_async(answered));
        session.keep(control);
        step(py, next?)
    }

    fn resume_async(
        &self,
        py: Python<'_>,
        answered: &Bound<'_, PyAny>,
        caller: Caller,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let answered = answers(py, answered)?;
        let mut session = self.in_use(py)?;
        let control = session.waiting(py)?;
        control.context.pass_to(caller);
        let kept = control.clone();
        let resumed = async move {
            let next = session.session().resume_async(answered).await;
            session.keep(kept);
            next
        };
        start(resumed, control, done, of_step)
    }

    fn save_paused(&self, py: Python<'_>, path: PathBuf, with_key: Option<[u8; 32]>) -> PyResult<()> {
        let mut session = self.in_use(py)?;
        session.waiting(py)?;
        let saved = py.detach(|| session.session().save_paused_with(path, &key(with_key)?));
        saved.map_err(|error| exception(py, error))
    }

    fn paused_to_bytes<'py>(&self, py: Python<'py>, with_key: Option<[u8; 32]>) -> PyResult<Bound<'py, PyBytes>> {
        let mut session = self.in_use(py)?;
        session.waiting(py)?;
        let bytes = py.detach(|| session.session().paused_to_bytes(&key(with_key)?));
        Ok(PyBytes::new(py, &bytes.map_err(|error| exception(py, error))?))
    }

    fn forget_paused_file(&self, py: Python<'_>) -> PyResult<()> {
        self.in_use(py)?.session().forget_paused_file();
        Ok(())
    }

    /// Whether a program waits that has been cancelled.
    fn is_cancelled(&self) -> bool {
        let Ok(open) = self.slot.try_lock() else { return false };
        let waiting = open.as_ref().and_then(|open| open.waiting.as_ref());
        waiting.is_some_and(|control| control.cancel.is_cancelled())
    }

    fn continue_paused(&self, py: Python<'_>, saved: &SavedRun, options: Options<'_>) -> PyResult<()> {
        let mut session = self.in_use(py)?;
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let continued = py.detach(|| session.session().continue_paused(saved.inner(), options));
        continued.map_err(|error| exception(py, error))?;
        session.keep(control);
        Ok(())
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        let mut session = self.in_use(py)?;
        py.detach(|| session.session().snapshot()).map(Snapshot::new).map_err(|error| exception(py, error))
    }

    fn restore(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<()> {
        let mut session = self.in_use(py)?;
        py.detach(|| session.session().restore(snapshot.inner())).map_err(|error| exception(py, error))?;
        session.open().waiting = None;
        Ok(())
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
        Some(session.as_ref().is_none_or(|open| open.session.ended()))
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
