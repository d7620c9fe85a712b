//! The settings of a sandbox.

use std::path::PathBuf;

use isolette::{
    Determinism, Redaction, SandboxBuilder,
    audit::RecordedArguments,
    policy::{HttpBody, PolicyFile},
};
use pyo3::prelude::*;

use crate::{
    approval::{self, Approver},
    audit::{Audit, Metrics},
    budget::Budget,
    call_context::CallContext,
    callbacks::Callback,
    capability::Capability,
    file_system::PythonFileSystem,
    outcome::{exception, invalid},
    tool::Tool,
    tool_set::ToolSet,
    transport::{self, PythonTransport},
    values,
};

/// What the package passes for a sandbox.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings<'py> {
    /// The path of a policy file.
    policy_file: Option<PathBuf>,
    /// The content of a policy file.
    policy: Option<Bound<'py, PyAny>>,
    /// The keywords of the caller that policy files have as well. They go over the policy.
    keywords: Bound<'py, PyAny>,
    tools: Vec<Py<Tool>>,
    tool_sets: Vec<Py<ToolSet>>,
    capabilities: Vec<Py<Capability>>,
    /// Each with the name for explanations, the path in the guest, and the access.
    file_systems: Vec<(Py<PyAny>, String, String, String)>,
    /// A function of the package, and whether it is asynchronous.
    http_transport: Option<(Py<PyAny>, bool)>,
    resolver: Option<Py<PyAny>>,
    temp_output: bool,
    approver: Option<(Py<PyAny>, bool)>,
    on_call: Option<Py<PyAny>>,
    budget: Option<Py<Budget>>,
    audit: Option<Py<Audit>>,
    metrics: Option<Py<Metrics>>,
    record_arguments: Option<String>,
    redact: Vec<String>,
    /// The time since 1970 in seconds, and the seed.
    deterministic: Option<(f64, u64)>,
    record: Option<PathBuf>,
    replay: Option<PathBuf>,
    ready_guests: Option<usize>,
    http_body: Option<String>,
}

impl Settings<'_> {
    /// Makes a builder, and the approver of the sandbox.
    pub(crate) fn builder(self, py: Python<'_>) -> PyResult<(SandboxBuilder, Option<Approver>)> {
        let mut builder = isolette::Sandbox::builder();
        if let Some(path) = &self.policy_file {
            builder = builder.policy_file(&PolicyFile::read(path).map_err(|error| exception(py, error))?);
        }
        for (file, what) in [(self.policy.as_ref(), "policy"), (Some(&self.keywords), "")] {
            if let Some(file) = file {
                builder = builder.policy_file(&policy_file(py, file, what)?);
            }
        }
        for tool in &self.tools {
            builder = builder.tool(tool.get().0.clone());
        }
        for set in &self.tool_sets {
            builder = builder.tools(set.get().inner().clone());
        }
        for capability in &self.capabilities {
            builder = builder.capability(capability.get().0.clone());
        }
        for (system, name, guest, access) in self.file_systems {
            let access = access.parse().map_err(|error| exception(py, error))?;
            builder = builder.mount_file_system(name, PythonFileSystem::new(system), &guest, access);
        }
        if let Some((function, is_async)) = self.http_transport {
            builder = builder.http_transport(PythonTransport::new(function, is_async));
        }
        if let Some(resolver) = self.resolver {
            let resolver = Callback::new(resolver);
            builder = builder.resolver(move |name| transport::resolve(&resolver, name));
        }
        if self.temp_output {
            builder = builder.temp_output();
        }
        if let Some(check) = self.on_call {
            let check = Callback::new(check);
            builder =
                builder.on_call(move |request| approval::check(&check, CallContext::current().as_deref(), request));
        }
        if let Some(budget) = &self.budget {
            builder = builder.budget(budget.get().0.clone());
        }
        if let Some(audit) = &self.audit {
            builder = builder.audit(audit.get().inner());
        }
        if let Some(metrics) = &self.metrics {
            builder = builder.metrics(&metrics.get().0);
        }
        if let Some(recorded) = &self.record_arguments {
            builder = builder.record_arguments(recorded_arguments(py, recorded)?);
        }
        if !self.redact.is_empty() {
            builder = builder.redact(&Redaction::new(self.redact));
        }
        if let Some((start, seed)) = self.deterministic {
            builder = builder.deterministic(determinism(py, start, seed)?);
        }
        if let Some(directory) = &self.record {
            builder = builder.record(directory);
        }
        if let Some(directory) = &self.replay {
            builder = builder.replay(directory);
        }
        if let Some(count) = self.ready_guests {
            builder = builder.ready_guests(count);
        }
        if let Some(form) = &self.http_body {
            builder = builder.http_body(http_body(py, form)?);
        }
        Ok((builder, self.approver.map(Approver::new)))
    }
}

/// A policy file of values of Python. `what` names it in errors.
fn policy_file(py: Python<'_>, file: &Bound<'_, PyAny>, what: &str) -> PyResult<PolicyFile> {
    let json = values::to_json(file, if what.is_empty() { "the settings" } else { what })?;
    serde_path_to_error::deserialize(json).map_err(|error| {
        let place = match (what, error.path().to_string()) {
            ("", path) => path,
            (what, path) if path == "." => what.to_owned(),
            (what, path) => format!("{what}: {path}"),
        };
        // The value, which some messages have, may be a secret.
        let what = if place.contains("secrets") { "is not as it should be".into() } else { error.inner().to_string() };
        invalid(py, format!("`{place}`: {what}"), "docs/policy.md lists the settings")
    })
}

fn recorded_arguments(py: Python<'_>, recorded: &str) -> PyResult<RecordedArguments> {
    match recorded {
        "nothing" => Ok(RecordedArguments::Nothing),
        "digest" => Ok(RecordedArguments::Digest),
        "whole" => Ok(RecordedArguments::Whole),
        _ => {
            Err(invalid(py, format!("`record_arguments` is {recorded:?}"), "use \"nothing\", \"digest\" or \"whole\""))
        }
    }
}

fn http_body(py: Python<'_>, form: &str) -> PyResult<HttpBody> {
    match form {
        "auto" => Ok(HttpBody::Auto),
        "text" => Ok(HttpBody::Text),
        _ => Err(invalid(py, format!("`http_body` is {form:?}"), "use \"auto\" or \"text\"")),
    }
}

fn determinism(py: Python<'_>, start: f64, seed: u64) -> PyResult<Determinism> {
    let start = std::time::Duration::try_from_secs_f64(start)
        .ok()
        .and_then(|start| std::time::SystemTime::UNIX_EPOCH.checked_add(start))
        .ok_or_else(|| invalid(py, "the start of `deterministic` is before 1970 or too late", "use a later time"))?;
    let mut determinism = Determinism::default();
    (determinism.start, determinism.seed) = (start, seed);
    Ok(determinism)
}
