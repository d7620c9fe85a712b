//! Functions of Python that threads of the host call, and the end of the interpreter.
//!
//! A thread that waits for the interpreter while it ends would bring the process down. So all runs are cancelled before, and
//! functions that were called return first, as the threads of Python itself do.

use std::{
    collections::HashMap,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette::CancellationToken;
use pyo3::{exceptions::PyRuntimeError, prelude::*, sync::PyOnceLock};

static TOOL_ERROR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

static LIVE: Mutex<Option<Live>> = Mutex::new(None);
static CHANGED: Condvar = Condvar::new();

/// How long runs may take to end when the interpreter does.
const ENDING: Duration = Duration::from_millis(500);

/// How often it is checked whether a signal has come.
const BETWEEN_CHECKS: Duration = Duration::from_millis(50);

/// The runs and calls that there are.
#[derive(Default)]
struct Live {
    runs: HashMap<u64, CancellationToken>,
    next: u64,
    calls: usize,
    /// Whether no more runs start.
    is_closing: bool,
    /// Whether no more functions are called.
    has_ended: bool,
}

fn live<T>(with: impl FnOnce(&mut Live) -> T) -> T {
    with(lock().get_or_insert_default())
}

fn lock() -> MutexGuard<'static, Option<Live>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run that the end of the interpreter cancels, until this is dropped.
pub(crate) struct LiveRun(u64);

impl LiveRun {
    pub(crate) fn new(token: CancellationToken) -> PyResult<Self> {
        live(|live| {
            if live.is_closing {
                return Err(PyRuntimeError::new_err("the interpreter ends, and starts no more programs"));
            }
            live.next += 1;
            live.runs.insert(live.next, token);
            Ok(Self(live.next))
        })
    }
}

impl Drop for LiveRun {
    fn drop(&mut self) {
        live(|live| live.runs.remove(&self.0));
        CHANGED.notify_all();
    }
}

/// A function of Python.
#[derive(Clone)]
pub(crate) struct Callback(Arc<Py<PyAny>>);

impl Callback {
    pub(crate) fn new(function: Py<PyAny>) -> Self {
        Self(Arc::new(function))
    }

    pub(crate) fn function(&self, py: Python<'_>) -> Py<PyAny> {
        self.0.clone_ref(py)
    }

    /// Calls the function. `Err` describes the exception that it raised.
    pub(crate) fn call<T>(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        attached(|py| call(py, self.0.bind(py)).map_err(|error| describe(py, &error)))?
    }
}

/// Does something with the interpreter, unless it ends.
pub(crate) fn attached<T>(work: impl FnOnce(Python<'_>) -> T) -> Result<T, String> {
    const ENDS: &str = "the interpreter of the host ends";
    let _call = LiveCall::new().ok_or(ENDS)?;
    Python::try_attach(work).ok_or_else(|| ENDS.to_owned())
}

struct LiveCall;

impl LiveCall {
    fn new() -> Option<Self> {
        live(|live| {
            (!live.has_ended).then(|| {
                live.calls += 1;
                Self
            })
        })
    }
}

impl Drop for LiveCall {
    fn drop(&mut self) {
        live(|live| live.calls -= 1);
        CHANGED.notify_all();
    }
}

/// What a program, or a person, reads about an exception.
pub(crate) fn describe(py: Python<'_>, error: &PyErr) -> String {
    let text = error.value(py).str().map_or_else(|_| String::new(), |text| text.to_string());
    let is_tool_error = TOOL_ERROR.import(py, "isolette.errors", "ToolError");
    if is_tool_error.is_ok_and(|class| error.is_instance(py, class)) && !text.is_empty() {
        return text;
    }
    let kind = error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    if text.is_empty() { kind } else { format!("{kind}: {text}") }
}

/// Cancels all runs, waits until they have ended, and until the functions that they called have returned.
///
/// # Errors
/// The exception of a signal handler: Ctrl-C ends the waiting.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) -> PyResult<()> {
    if crate::process::is_forked() {
        return Ok(());
    }
    live(|live| {
        live.is_closing = true;
        live.runs.values().for_each(CancellationToken::cancel);
    });
    // Their last records may go to functions. Paused programs do not end.
    let until = Instant::now() + ENDING;
    wait_until(py, |live| live.runs.is_empty() || Instant::now() >= until)?;
    live(|live| live.has_ended = true);
    wait_until(py, |live| live.calls == 0)
}

/// Waits without the interpreter, and with an eye on signals.
fn wait_until(py: Python<'_>, is_done: impl Fn(&Live) -> bool + Sync) -> PyResult<()> {
    loop {
        let is_done = py.detach(|| {
            let mut guard = lock();
            if is_done(guard.get_or_insert_default()) {
                return true;
            }
            let (mut guard, _) = CHANGED.wait_timeout(guard, BETWEEN_CHECKS).unwrap_or_else(PoisonError::into_inner);
            is_done(guard.get_or_insert_default())
        });
        if is_done {
            return Ok(());
        }
        py.check_signals()?;
    }
}
