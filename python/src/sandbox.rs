//! Sandboxes.

use std::path::PathBuf;

use isolette::policy::Approval;
use isolette_agent::{CodeActProvider, Guide, rendering::Rendering};
use pyo3::{
    prelude::*,
    types::{PyString, PyTuple},
};

use crate::{
    approval::Approver,
    cancellation::CancellationToken,
    kept::Kept,
    options::{Options, Prepared},
    outcome::{self, Output, exception},
    paused::{self, PausedRun, SavedRun},
    process,
    session::Session,
    settings::Settings,
    snapshot::Snapshot,
    values,
    waiting::{start, wait},
};

/// Runs programs.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct Sandbox {
    sandbox: Kept<isolette::Sandbox>,
    approver: Option<Approver>,
}

impl Sandbox {
    pub(crate) fn of(sandbox: isolette::Sandbox, approver: Option<Approver>) -> Self {
        Self { sandbox: Kept::new(sandbox), approver }
    }

    pub(crate) fn inner(&self) -> &isolette::Sandbox {
        &self.sandbox
    }

    pub(crate) fn approver(&self) -> Option<&Approver> {
        self.approver.as_ref()
    }
}

#[pymethods]
impl Sandbox {
    #[new]
    fn new(py: Python<'_>, settings: Settings<'_>) -> PyResult<Self> {
        process::check()?;
        let (builder, approver) = settings.builder(py)?;
        let sandbox = py.detach(|| builder.build()).map_err(|error| exception(py, error))?;
        Ok(Self::of(sandbox, approver))
    }

    fn run<'py>(&self, py: Python<'py>, code: &str, options: Options<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let ended = wait(py, &control, self.sandbox.run_async(code, options))?;
        outcome::to_python(py, ended.map_err(|error| exception(py, error))?)
    }

    fn run_async(
        &self,
        py: Python<'_>,
        code: String,
        options: Options<'_>,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let sandbox = self.sandbox.clone();
        start(async move { sandbox.run_async(&code, options).await }, control, done, outcome::of_run)
    }

    fn start<'py>(&self, py: Python<'py>, code: &str, options: Options<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let step = wait(py, &control, self.sandbox.start_async(code, options))?;
        paused::step(py, step, control)
    }

    fn start_async(
        &self,
        py: Python<'_>,
        code: String,
        options: Options<'_>,
        done: Py<PyAny>,
    ) -> PyResult<CancellationToken> {
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let sandbox = self.sandbox.clone();
        let convert = paused::outcome(control.clone());
        start(async move { sandbox.start_async(&code, options).await }, control, done, convert)
    }

    fn paused_from(&self, py: Python<'_>, saved: &SavedRun, options: Options<'_>) -> PyResult<PausedRun> {
        let Prepared { options, control } = options.prepare(py, self.approver.as_ref())?;
        let paused = py.detach(|| self.sandbox.paused_from(saved.inner(), options));
        paused.map(|paused| PausedRun::new(paused, control)).map_err(|error| exception(py, error))
    }

    fn session(&self, py: Python<'_>) -> PyResult<Session> {
        process::check()?;
        let session = py.detach(|| self.sandbox.session()).map_err(|error| exception(py, error))?;
        Ok(Session::new(session, self.approver.clone()))
    }

    fn session_from(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<Session> {
        process::check()?;
        let session = py.detach(|| self.sandbox.session_from(snapshot.inner()));
        Ok(Session::new(session.map_err(|error| exception(py, error))?, self.approver.clone()))
    }

    /// Returns the fields and the text of the explanation.
    fn explain<'py>(&self, py: Python<'py>, code: Option<&str>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyString>)> {
        let explanation = match code {
            Some(code) => self.sandbox.explain_program(code),
            None => self.sandbox.explain(),
        };
        Ok((values::serialized(py, &explanation)?, PyString::new(py, &explanation.to_string())))
    }

    /// Returns the instructions about the tool `execute_code` for a model, its description, and its schema.
    fn guide<'py>(
        &self,
        py: Python<'py>,
        tools_visible_to_model: bool,
    ) -> PyResult<(String, String, Bound<'py, PyAny>)> {
        let guide = Guide::new(&self.sandbox);
        let schema = values::serialized(py, &CodeActProvider::default().execute_code_schema())?;
        Ok((guide.instructions(tools_visible_to_model), guide.description(), schema))
    }

    /// Returns a result as text for a model, without the secrets of the sandbox, and how many tokens that is.
    fn rendered(&self, output: &Output, limit: usize) -> (String, usize) {
        let rendering = Rendering::new().limit(limit).redaction(self.sandbox.redaction().clone());
        let rendered = rendering.render(Ok(output.inner()), |_, _| None);
        (rendered.text, rendered.tokens)
    }

    /// Whether tools need approval, and no rule decides about them.
    fn needs_approval_as_a_whole(&self) -> bool {
        let policy = self.sandbox.explain().policy;
        matches!(policy.approval, Approval::Never)
            && self.sandbox.catalog().tools().iter().any(isolette::Tool::needs_approval)
    }

    #[getter]
    fn ready_guests(&self) -> usize {
        self.sandbox.ready_guests()
    }

    #[getter]
    fn image_directory(&self) -> PathBuf {
        self.sandbox.image().directory().to_owned()
    }
}
