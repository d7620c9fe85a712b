//! Pools of sandboxes with different policies.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use isolette::{Error, SandboxBuilder};
use pyo3::prelude::*;

use crate::{
    approval::Approver, audit::Metrics, budget::duration, callbacks::attached, kept::Kept, outcome::exception, process,
    sandbox::Sandbox, settings::Settings,
};

/// What the package passes for a pool.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Definition {
    /// Returns the settings of the sandbox for a key.
    make: Py<PyAny>,
    guests: usize,
    memory: u64,
    waiting: usize,
    waiting_time: f64,
    sandboxes: usize,
    idle: f64,
    warm: Vec<(String, usize)>,
    metrics: Option<Py<Metrics>>,
}

/// What was learned while a sandbox was made.
#[derive(Default)]
struct Made {
    approvers: HashMap<String, Option<Approver>>,
    /// The exception for which there is none.
    failure: Option<PyErr>,
}

/// Sandboxes that share places for guests.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct SandboxPool {
    pool: Kept<isolette::SandboxPool<String>>,
    made: Arc<Mutex<Made>>,
}

#[pymethods]
impl SandboxPool {
    #[new]
    fn new(py: Python<'_>, definition: Definition) -> PyResult<Self> {
        process::check()?;
        let made = Arc::new(Mutex::new(Made::default()));
        let (make, kept) = (definition.make, Arc::clone(&made));
        let builder = isolette::SandboxPool::builder(move |key: &String| settings(&make, key, &kept));
        let mut builder = builder
            .guests(definition.guests)
            .memory(definition.memory)
            .waiting(definition.waiting)
            .waiting_time(waiting_time(py, definition.waiting_time)?)
            .sandboxes(definition.sandboxes)
            .idle(duration(py, "idle", definition.idle)?);
        for (key, guests) in definition.warm {
            builder = builder.warm(key, guests);
        }
        if let Some(metrics) = &definition.metrics {
            builder = builder.metrics(&metrics.get().0);
        }
        let pool = py.detach(|| builder.build());
        Ok(Self { pool: Kept::new(pool.map_err(|error| failure(py, &made, error))?), made })
    }

    fn get(&self, py: Python<'_>, key: String) -> PyResult<Sandbox> {
        process::check()?;
        let sandbox = py.detach(|| self.pool.get(&key)).map_err(|error| failure(py, &self.made, error))?;
        let approver = lock(&self.made).approvers.get(&key).cloned().flatten();
        Ok(Sandbox::of(sandbox, approver))
    }

    /// Returns guests, memory, waiting callers, sandboxes, and whether the pool is drained.
    fn state(&self) -> (usize, u64, usize, usize, bool) {
        let state = self.pool.state();
        (state.guests, state.memory, state.waiting, state.sandboxes, state.is_draining)
    }

    fn drain(&self, py: Python<'_>, timeout: f64) -> PyResult<bool> {
        let timeout = waiting_time(py, timeout)?;
        Ok(py.detach(|| self.pool.drain(timeout)))
    }
}

/// A time that may be nothing.
fn waiting_time(py: Python<'_>, seconds: f64) -> PyResult<Duration> {
    if seconds == 0.0 { Ok(Duration::ZERO) } else { duration(py, "waiting_time", seconds) }
}

fn settings(make: &Py<PyAny>, key: &str, made: &Mutex<Made>) -> Result<SandboxBuilder, Error> {
    let builder = attached(|py| {
        let settings = make.call1(py, (key,))?;
        settings.extract::<Settings<'_>>(py)?.builder(py)
    });
    match builder {
        Ok(Ok((builder, approver))) => {
            lock(made).approvers.insert(key.to_owned(), approver);
            Ok(builder)
        }
        Ok(Err(error)) => {
            lock(made).failure = Some(error);
            Err(Error::invalid("the function of the pool failed", "see its exception"))
        }
        Err(message) => Err(Error::invalid(message, "make pools while the interpreter runs")),
    }
}

/// The exception of the function that makes settings, if it was that which failed.
fn failure(py: Python<'_>, made: &Mutex<Made>, error: Error) -> PyErr {
    let own = lock(made).failure.take();
    own.unwrap_or_else(|| exception(py, error))
}

fn lock(made: &Mutex<Made>) -> std::sync::MutexGuard<'_, Made> {
    made.lock().unwrap_or_else(PoisonError::into_inner)
}
