//! Budgets that runs share.

use std::time::Duration;

use pyo3::prelude::*;

use crate::{outcome::invalid, values};

/// A budget that several runs share.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Budget(pub(crate) isolette::Budget);

#[pymethods]
impl Budget {
    #[new]
    fn new(py: Python<'_>, tool_calls: Option<u64>, http_requests: Option<u64>, time: Option<f64>) -> PyResult<Self> {
        let mut budget = isolette::Budget::new();
        if let Some(limit) = tool_calls {
            budget = budget.tool_calls(limit);
        }
        if let Some(limit) = http_requests {
            budget = budget.http_requests(limit);
        }
        if let Some(seconds) = time {
            budget = budget.time(duration(py, "time", seconds)?);
        }
        Ok(Self(budget))
    }

    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::serialized(py, &self.0.state())
    }
}

/// A duration that was passed in seconds.
pub(crate) fn duration(py: Python<'_>, what: &str, seconds: f64) -> PyResult<Duration> {
    match Duration::try_from_secs_f64(seconds) {
        Ok(duration) if !duration.is_zero() => Ok(duration),
        _ => Err(invalid(py, format!("`{what}` is {seconds} seconds"), "pass a number of seconds above 0")),
    }
}
