//! Waiting for runs: without the interpreter, and with an eye on signals.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
    time::{Duration, Instant},
};

use pyo3::prelude::*;

use crate::options::Control;

/// How often it is checked whether a signal has come. Python delivers signals only to a thread that is attached.
const BETWEEN_CHECKS: Duration = Duration::from_millis(50);

/// Waits for the future of a run on this thread. Other threads use the interpreter meanwhile. A signal whose handler raises an
/// exception, as that of Ctrl-C does, cancels the run; the exception is returned once the run has ended.
///
/// # Errors
/// The exception of a signal handler, or of a function that the run called for its output.
pub(crate) fn wait<T: Send>(py: Python<'_>, control: &Control, future: impl Future<Output = T> + Send) -> PyResult<T> {
    let mut interrupted = None;
    let output = py.detach(|| {
        let mut future = pin!(future);
        let sleeper = Arc::new(Sleeper { thread: thread::current(), is_awake: AtomicBool::new(false) });
        let waker = Waker::from(Arc::clone(&sleeper));
        let mut context = Context::from_waker(&waker);
        let mut next = Instant::now() + BETWEEN_CHECKS;
        loop {
            if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
                return output;
            }
            while !sleeper.is_awake.swap(false, Ordering::AcqRel) {
                let now = Instant::now();
                if now < next {
                    thread::park_timeout(next - now);
                    continue;
                }
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    control.cancel.cancel();
                    interrupted.get_or_insert(error);
                }
                next = Instant::now() + BETWEEN_CHECKS;
            }
        }
    });
    match interrupted.or_else(|| control.failure()) {
        Some(error) => {
            // Its end may wait for functions that need the interpreter.
            py.detach(|| drop(output));
            Err(error)
        }
        None => Ok(output),
    }
}

/// A thread that waits.
struct Sleeper {
    thread: Thread,
    is_awake: AtomicBool,
}

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.is_awake.store(true, Ordering::Release);
        self.thread.unpark();
    }
}

/// Starts the future of a run, and calls `done(output, error)` with its outcome, on a thread of the host.
pub(crate) fn start<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
    control: Control,
    done: Py<PyAny>,
    convert: impl FnOnce(Python<'_>, T) -> PyResult<Py<PyAny>> + Send + 'static,
) -> PyResult<crate::cancellation::CancellationToken> {
    let token = crate::cancellation::CancellationToken(control.cancel.clone());
    let runtime = isolette_deadline::runtime()
        .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(format!("cannot start threads: {error}")))?;
    runtime.spawn(async move {
        let output = future.await;
        let failure = control.failure();
        // After the end of the interpreter nothing waits for it.
        let _ = crate::callbacks::attached(move |py| {
            let outcome = match failure {
                Some(error) => Err(error),
                None => convert(py, output),
            };
            let called = match outcome {
                Ok(output) => done.call1(py, (output, py.None())),
                Err(error) => done.call1(py, (py.None(), error.into_value(py))),
            };
            if let Err(error) = called {
                error.write_unraisable(py, Some(done.bind(py)));
            }
        });
        drop(control);
    });
    Ok(token)
}
