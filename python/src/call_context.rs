//! What the caller of a run has: its context variables and its event loop. Functions that the run calls have them too.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::{
    prelude::*,
    sync::{MutexExt as _, PyOnceLock},
    types::{PyDict, PyTuple},
};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{
    callbacks::{Callback, attached, describe},
    values,
};

static START: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// The context variables of the caller, and the event loop that it runs in if it is asynchronous.
pub(crate) struct CallContext(Mutex<Caller>);

/// What a caller passes: `contextvars.Context`, and its event loop.
#[derive(FromPyObject)]
pub(crate) struct Caller(Py<PyAny>, Option<Py<PyAny>>);

impl Caller {
    fn copied(&self, py: Python<'_>) -> Self {
        Self(self.0.clone_ref(py), self.1.as_ref().map(|event_loop| event_loop.clone_ref(py)))
    }
}

impl CallContext {
    pub(crate) fn new(caller: Caller) -> Self {
        Self(Mutex::new(caller))
    }

    /// Without a caller.
    pub(crate) fn none(py: Python<'_>) -> Self {
        Self::new(Caller(py.None(), None))
    }

    /// Sets another caller: the one that continues a paused program.
    pub(crate) fn pass_to(&self, caller: Caller) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = caller;
    }

    fn caller(&self, py: Python<'_>) -> Caller {
        self.0.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).copied(py)
    }

    /// The context of the run for which a function is called. `None` if it is called for none.
    pub(crate) fn current() -> Option<Arc<Self>> {
        isolette::held_by_run::<Arc<Self>>().map(|context| Arc::clone(&*context))
    }
}

/// Calls a function with the context variables of the caller.
pub(crate) fn call<'py>(
    context: Option<&CallContext>,
    function: &Bound<'py, PyAny>,
    arguments: &[Bound<'py, PyAny>],
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    let Some(context) = context else { return function.call(PyTuple::new(py, arguments)?, keywords) };
    // A copy, because a context can be entered only once at a time.
    let variables = context.caller(py).0.bind(py).call_method0("copy")?;
    let all = [std::slice::from_ref(function), arguments].concat();
    variables.call_method("run", PyTuple::new(py, all)?, keywords)
}

/// Calls an asynchronous function on the event loop of the caller, or on one of the package if the caller has none, and awaits
/// it. Dropping the future cancels the task.
pub(crate) async fn call_on_event_loop(
    function: Callback,
    context: Option<Arc<CallContext>>,
    arguments: Value,
    what: &'static str,
) -> Result<Value, String> {
    let begin = move |py: Python<'_>| {
        let arguments = values::from_json(py, &arguments)?;
        Ok((function.function(py), arguments.unbind()))
    };
    let finish = move |py: Python<'_>, result: PyResult<Bound<'_, PyAny>>| {
        let value = result.and_then(|value| values::to_json(&value, what));
        value.map_err(|error| describe(py, &error))
    };
    on_event_loop(context, begin, finish).await.unwrap_or_else(Err)
}

/// As [`call_on_event_loop`], for other values: `begin` returns the function and its arguments by name, and `finish` converts what
/// it returned or raised. `Err` says why there is neither.
pub(crate) async fn on_event_loop<T: Send + 'static>(
    context: Option<Arc<CallContext>>,
    begin: impl FnOnce(Python<'_>) -> PyResult<(Py<PyAny>, Py<PyAny>)> + Send,
    finish: impl FnOnce(Python<'_>, PyResult<Bound<'_, PyAny>>) -> T + Send + 'static,
) -> Result<T, String> {
    let (sender, receiver) = oneshot::channel();
    // Without a receiver, the run has ended.
    let finish: Finish = Box::new(move |py, result| drop(sender.send(finish(py, result))));
    let task = attached(|py| {
        let start = || -> PyResult<Py<PyAny>> {
            let (function, arguments) = begin(py)?;
            let done = Done(Mutex::new(Some(finish)));
            let caller = context.as_ref().map(|context| context.caller(py));
            let (variables, event_loop) =
                caller.map_or((None, None), |Caller(variables, event_loop)| (Some(variables), event_loop));
            let start = START.import(py, "isolette._event_loop", "start")?;
            start.call1((function, arguments, variables, event_loop, done)).map(Bound::unbind)
        };
        start().map_err(|error| describe(py, &error))
    })??;
    let task = Task(Some(task));
    let outcome = receiver.await.map_err(|_| "the event loop of the host has ended".to_owned());
    task.has_ended();
    outcome
}

type Finish = Box<dyn FnOnce(Python<'_>, PyResult<Bound<'_, PyAny>>) + Send>;

/// A task on an event loop, which is cancelled if nothing waits for it any more.
struct Task(Option<Py<PyAny>>);

impl Task {
    fn has_ended(mut self) {
        self.0 = None;
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        if let Some(cancel) = self.0.take() {
            // A loop that has ended has no tasks.
            let _ = attached(|py| cancel.call0(py).map(drop));
        }
    }
}

/// Receives the outcome of a task.
#[pyclass(frozen, module = "isolette._native")]
struct Done(Mutex<Option<Finish>>);

#[pymethods]
impl Done {
    fn __call__(&self, py: Python<'_>, value: Bound<'_, PyAny>, error: Option<Bound<'_, PyAny>>) {
        let finish = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(finish) = finish {
            finish(py, error.map_or(Ok(value), |error| Err(PyErr::from_value(error))));
        }
    }
}
