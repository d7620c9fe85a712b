//! The runs and calls that there are, and the end of the interpreter.
//!
//! A thread that waits for the interpreter while it ends would bring the process down. So all runs are cancelled before, and
//! functions that were called return first, as the threads of Python itself do.

use std::{
    collections::HashMap,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette::CancellationToken;
use pyo3::{exceptions::PyRuntimeError, prelude::*};

use crate::process;

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

/// A call for whose end the interpreter waits. There is none once it ends.
pub(crate) struct LiveCall;

impl LiveCall {
    pub(crate) fn new() -> Option<Self> {
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

/// Cancels all runs, waits until they have ended, and until the functions that they called have returned.
///
/// # Errors
/// The exception of a signal handler: Ctrl-C ends the waiting.
#[pyfunction]
pub(crate) fn shut_down(py: Python<'_>) -> PyResult<()> {
    if process::is_forked() {
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
