//! The options of one run.

use std::sync::{Arc, Mutex, PoisonError};

use isolette::{RunOptions, Stream};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};

use crate::{
    approval::{self, Approver},
    budget::{Budget, duration},
    call_context::{self, CallContext, Caller},
    callbacks::{Callback, attached},
    cancellation::CancellationToken,
    live::LiveRun,
    process, values,
};

/// What the package passes for each run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Options<'py> {
    timeout: Option<f64>,
    variables: Option<Bound<'py, PyDict>>,
    cancel: Option<Py<CancellationToken>>,
    on_output: Option<Py<PyAny>>,
    filename: Option<String>,
    labels: Option<Vec<(String, String)>>,
    budget: Option<Py<Budget>>,
    on_call: Option<Py<PyAny>>,
    approver: Option<(Py<PyAny>, bool)>,
    rollback_on_error: bool,
    caller: Caller,
}

/// A run that is about to start.
pub(crate) struct Prepared {
    pub(crate) options: RunOptions,
    pub(crate) control: Control,
}

/// What cancels a run, what its functions have of its caller, and what went wrong in the one for its output.
#[derive(Clone)]
pub(crate) struct Control {
    pub(crate) cancel: isolette::CancellationToken,
    pub(crate) context: Arc<CallContext>,
    failure: Arc<Mutex<Option<PyErr>>>,
    _live: Arc<LiveRun>,
}

impl Control {
    /// For work that is no run.
    pub(crate) fn alone(py: Python<'_>) -> PyResult<Self> {
        let cancel = isolette::CancellationToken::new();
        let _live = Arc::new(LiveRun::new(cancel.clone())?);
        Ok(Self { cancel, context: Arc::new(CallContext::none(py)), failure: Arc::default(), _live })
    }

    /// The exception that a function for output raised, if it was that which ended the run.
    pub(crate) fn failure(&self) -> Option<PyErr> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Options<'_> {
    /// `approver` is that of the sandbox.
    pub(crate) fn prepare(self, py: Python<'_>, approver: Option<&Approver>) -> PyResult<Prepared> {
        process::check()?;
        let cancel = match &self.cancel {
            Some(token) => token.get().0.child_token(),
            None => isolette::CancellationToken::new(),
        };
        let failure = Arc::new(Mutex::new(None));
        let context = Arc::new(CallContext::new(self.caller));
        let control = Control {
            cancel: cancel.clone(),
            context: Arc::clone(&context),
            failure: Arc::clone(&failure),
            _live: Arc::new(LiveRun::new(cancel.clone())?),
        };
        let mut options = RunOptions::new().cancel(cancel.clone()).hold(Arc::clone(&context));
        if let Some(seconds) = self.timeout {
            options = options.timeout(duration(py, "timeout", seconds)?);
        }
        for (name, value) in self.variables.iter().flatten() {
            let name: String = name.extract()?;
            let value = values::to_json(&value, &format!("variable `{name}`"))?;
            options = options.variable(name, value);
        }
        if let Some(filename) = self.filename {
            options = options.filename(filename);
        }
        for (name, value) in self.labels.into_iter().flatten() {
            options = options.label(name, value);
        }
        if let Some(budget) = &self.budget {
            options = options.budget(budget.get().0.clone());
        }
        if let Some(check) = self.on_call {
            let (check, context) = (Callback::new(check), Arc::clone(&context));
            options = options.on_call(move |request| approval::check(&check, Some(&context), request));
        }
        if let Some(approver) = self.approver.map(Approver::new).or_else(|| approver.cloned()) {
            let context = Arc::clone(&context);
            options = options.approver(move |request| approver.clone().decide(request, Some(Arc::clone(&context))));
        }
        if let Some(function) = self.on_output {
            let output = Output { function, context, cancel, failure };
            options = options.on_output(move |stream, bytes| output.pass(stream, bytes));
        }
        if self.rollback_on_error {
            options = options.rollback_on_error();
        }
        Ok(Prepared { options, control })
    }
}

/// Passes output to a function. If it raises an exception, the run is cancelled.
struct Output {
    function: Py<PyAny>,
    context: Arc<CallContext>,
    cancel: isolette::CancellationToken,
    failure: Arc<Mutex<Option<PyErr>>>,
}

impl Output {
    fn pass(&self, stream: Stream, bytes: &[u8]) {
        let stream = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        let passed = attached(|py| {
            let arguments = [stream.into_pyobject(py)?.into_any(), PyBytes::new(py, bytes).into_any()];
            call_context::call(Some(&self.context), self.function.bind(py), &arguments, None).map(drop)
        });
        if let Ok(Err(error)) = passed {
            self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            self.cancel.cancel();
        }
    }
}
