//! Sets of tools: those of an OpenAPI document, and those of another MCP server.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use isolette::{OpenApi, Secret};
use isolette_mcp::{McpSource, SourceError, SourceTransport};
use pyo3::prelude::*;

use crate::{
    budget::duration,
    cancellation::CancellationToken,
    kept::Kept,
    options::Control,
    outcome::{exception, invalid},
    process,
    waiting::{start, wait},
};

/// Tools of one source.
#[pyclass(frozen, module = "isolette._native")]
pub(crate) struct ToolSet(Kept<isolette::ToolSet>);

/// What the package passes for an OpenAPI document.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Document {
    source: Option<String>,
    text: Option<String>,
    name: Option<String>,
    base_url: Option<String>,
    server_variables: BTreeMap<String, String>,
    private_addresses: bool,
    include: Vec<String>,
    exclude: Vec<String>,
    secrets: BTreeMap<String, String>,
    headers: BTreeMap<String, String>,
    errors_as_values: bool,
}

/// What the package passes for another MCP server.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Server {
    name: String,
    command: Vec<String>,
    environment: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
    directory: Option<PathBuf>,
    url: Option<String>,
    headers: BTreeMap<String, String>,
    include: Vec<String>,
    exclude: Vec<String>,
    start_time: f64,
    call_time: f64,
}

impl ToolSet {
    pub(crate) fn inner(&self) -> &isolette::ToolSet {
        &self.0
    }
}

#[pymethods]
impl ToolSet {
    #[staticmethod]
    fn of_document(py: Python<'_>, document: Document) -> PyResult<Self> {
        process::check()?;
        let failed = |error| exception(py, error);
        let mut source = match (&document.source, document.text) {
            (Some(source), _) => OpenApi::load(source).map_err(failed)?,
            (None, text) => OpenApi::from_text(text.unwrap_or_default()),
        };
        if let Some(name) = &document.name {
            source = source.name(name);
        }
        if let Some(url) = &document.base_url {
            source = source.base_url(url).map_err(failed)?;
        }
        source = source.private_addresses(document.private_addresses).errors_as_values(document.errors_as_values);
        source =
            document.server_variables.iter().fold(source, |source, (name, value)| source.server_variable(name, value));
        source = document.include.iter().fold(source, |source, pattern| source.include(pattern));
        source = document.exclude.iter().fold(source, |source, pattern| source.exclude(pattern));
        source = document.secrets.into_iter().fold(source, |source, (scheme, secret)| source.secret(&scheme, secret));
        source = document.headers.into_iter().fold(source, |source, (name, value)| source.header(&name, value));
        let control = Control::alone(py)?;
        let runtime = isolette_deadline::runtime().map_err(failed)?;
        // It may fetch the document.
        let read = runtime.spawn_blocking(move || source.tools());
        let tools = wait(py, &control, async {
            tokio::select! {
                read = read => read.ok(),
                () = control.cancel.cancelled() => None,
            }
        })?;
        match tools {
            Some(tools) => tools.map(|tools| Self(Kept::new(tools))).map_err(failed),
            None => Err(crate::outcome::internal("reading the document was given up")),
        }
    }

    #[staticmethod]
    fn of_server(py: Python<'_>, server: Server) -> PyResult<Self> {
        process::check()?;
        let source = server.source(py)?;
        let control = Control::alone(py)?;
        let runtime = isolette_deadline::runtime().map_err(|error| exception(py, error))?;
        let connected = runtime.spawn(connect(source));
        let tools = wait(py, &control, async {
            tokio::select! {
                connected = connected => connected.ok(),
                () = control.cancel.cancelled() => None,
            }
        })?;
        match tools {
            Some(tools) => outcome(py, tools),
            None => Err(crate::outcome::internal("connecting to the MCP server was given up")),
        }
    }

    #[staticmethod]
    fn of_server_async(py: Python<'_>, server: Server, done: Py<PyAny>) -> PyResult<CancellationToken> {
        process::check()?;
        let source = server.source(py)?;
        let control = Control::alone(py)?;
        let cancel = control.cancel.clone();
        let connected = async move {
            tokio::select! {
                tools = connect(source) => Some(tools),
                () = cancel.cancelled() => None,
            }
        };
        start(connected, control, done, |py, tools| match tools {
            Some(tools) => Ok(Bound::new(py, outcome(py, tools)?)?.into_any().unbind()),
            None => Ok(py.None()),
        })
    }

    /// The names of the tools.
    fn names(&self) -> Vec<String> {
        self.0.tools.iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// What has no tool, and why.
    fn skipped(&self) -> Vec<(String, String)> {
        self.0.skipped.iter().map(|skipped| (skipped.what.clone(), skipped.reason.to_string())).collect()
    }
}

async fn connect(source: McpSource) -> Result<isolette::ToolSet, SourceError> {
    // The connection lasts as long as its tools.
    source.connect().await?.tools().await
}

fn outcome(py: Python<'_>, tools: Result<isolette::ToolSet, SourceError>) -> PyResult<ToolSet> {
    tools.map(|tools| ToolSet(Kept::new(tools))).map_err(|error| invalid(py, error.message(), error.hint()))
}

impl Server {
    fn source(self, py: Python<'_>) -> PyResult<McpSource> {
        let secret = |secrets: BTreeMap<String, String>| -> BTreeMap<String, Secret> {
            secrets.into_iter().map(|(name, secret)| (name, secret.into())).collect()
        };
        let transport = match (self.url, self.command.split_first()) {
            (Some(url), _) => {
                let url = url
                    .parse()
                    .map_err(|error| invalid(py, format!("`url` is {url:?}: {error}"), "pass an absolute URL"))?;
                SourceTransport::Http { url, headers: secret(self.headers) }
            }
            (None, Some((program, arguments))) => SourceTransport::Child {
                program: program.clone(),
                arguments: arguments.to_vec(),
                environment: secret(self.environment),
                variables: self.variables,
                directory: self.directory,
            },
            (None, None) => return Err(invalid(py, "`command` is empty", "pass the program and its arguments")),
        };
        let mut source = McpSource::new(self.name, transport);
        (source.include, source.exclude) = (self.include, self.exclude);
        let time = |what, seconds| -> PyResult<Duration> { duration(py, what, seconds) };
        (source.start_time, source.call_time) =
            (time("start_time", self.start_time)?, time("call_time", self.call_time)?);
        Ok(source)
    }
}
