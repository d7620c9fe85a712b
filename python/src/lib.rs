//! The native module of the Python package `isolette`: what connects Python to the crate `isolette`.
//!
//! It knows the objects, threads and signals of Python. It decides nothing about programs: settings are those of policy files,
//! and results are passed on as they are. `isolette/_native.pyi` declares it for type checkers; users see the package above it.

mod approval;
mod audit;
mod budget;
mod call_context;
mod callbacks;
mod cancellation;
mod capability;
mod file_system;
mod interface_values;
mod kept;
mod live;
mod options;
mod outcome;
mod paused;
mod pool;
mod process;
mod sandbox;
mod session;
mod settings;
mod snapshot;
mod thread_state;
mod tool;
mod tool_set;
mod transport;
mod values;
mod waiting;
mod warm_image;

use std::{ffi::OsString, path::PathBuf, time::Duration};

use isolette::{Image, policy};
use pyo3::{exceptions::PyValueError, prelude::*};

/// Runs the command line. Returns its exit code.
#[pyfunction]
fn command_line(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    process::check()?;
    let python: Option<OsString> = py.import("sys")?.getattr("executable")?.extract()?;
    if let Some(python) = python {
        isolette_cli::set_program(vec![python, "-m".into(), "isolette".into()]);
    }
    Ok(py.detach(|| isolette_cli::command_line(arguments)))
}

/// Searches for images in a folder, before the default locations.
#[pyfunction]
fn search_images_in(folder: PathBuf) {
    Image::search_in(folder);
}

/// Parses a duration of a policy file. Returns seconds.
#[pyfunction]
fn parse_duration(text: &str) -> PyResult<f64> {
    policy::parse_duration(text).map(|duration: Duration| duration.as_secs_f64()).map_err(PyValueError::new_err)
}

/// Parses a size of a policy file. Returns bytes.
#[pyfunction]
fn parse_size(text: &str) -> PyResult<u64> {
    policy::parse_size(text).map_err(PyValueError::new_err)
}

/// Fails unless the text is a network rule.
#[pyfunction]
fn check_rule(text: &str) -> PyResult<()> {
    text.parse::<policy::network::Rule>().map(drop).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// See `isolette/_native.pyi`.
#[pymodule(gil_used = false)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    process::remember();
    module.add_class::<sandbox::Sandbox>()?;
    module.add_class::<session::Session>()?;
    module.add_class::<paused::PausedRun>()?;
    module.add_class::<paused::SavedRun>()?;
    module.add_class::<snapshot::Snapshot>()?;
    module.add_class::<tool::Tool>()?;
    module.add_class::<tool_set::ToolSet>()?;
    module.add_class::<capability::Capability>()?;
    module.add_class::<pool::SandboxPool>()?;
    module.add_class::<warm_image::WarmImage>()?;
    module.add_class::<budget::Budget>()?;
    module.add_class::<audit::Audit>()?;
    module.add_class::<audit::Metrics>()?;
    module.add_class::<cancellation::CancellationToken>()?;
    module.add_class::<outcome::Output>()?;
    module.add_class::<transport::Sending>()?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(search_images_in, module)?)?;
    module.add_function(wrap_pyfunction!(parse_duration, module)?)?;
    module.add_function(wrap_pyfunction!(parse_size, module)?)?;
    module.add_function(wrap_pyfunction!(check_rule, module)?)?;
    module.add_function(wrap_pyfunction!(live::shut_down, module)?)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))
}
