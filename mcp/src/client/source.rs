//! The settings of a source: how to reach a server, and which of its tools to use.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use isolette::Secret;
use url::Url;

use super::error::SourceError;

/// Another MCP server, as a source of tools.
///
/// | option | default |
/// |---|---|
/// | `include` | every tool |
/// | `exclude` | none |
/// | `start_time` | 60 s, to connect and to list |
/// | `call_time` | 60 s for one call; the time limit of the run applies as well |
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpSource {
    /// The name of the source, which is the namespace of its tools: programs call them as `name.tool`.
    pub name: String,
    /// How to reach the server.
    pub transport: SourceTransport,
    /// Globs of the tools to use; empty for all. A glob is matched against the name at the server (`create-issue`) and
    /// the names in programs, with or without the name of the source (`github.create_issue`, `create_issue`).
    pub include: Vec<String>,
    /// Globs of tools that are not used, matched in the same way.
    pub exclude: Vec<String>,
    /// Time limit to connect, and to list the tools.
    pub start_time: Duration,
    /// Time limit of one call.
    pub call_time: Duration,
}

/// How to reach a server.
#[derive(Clone, Debug)]
pub enum SourceTransport {
    /// A program that is started, speaks over its standard input and output, and is ended with the connection.
    Child {
        /// The program, by name or path.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Secret variables of its environment, which are redacted from everything that the server returns. The
        /// environment consists only of these, of `variables`, and of `PATH` and `HOME` of this process.
        environment: BTreeMap<String, Secret>,
        /// Variables of its environment that are not secret.
        variables: BTreeMap<String, String>,
        /// Its working directory. Default: that of this process.
        directory: Option<PathBuf>,
    },
    /// A running server, reached over HTTP.
    Http {
        /// The URL of its endpoint.
        url: Url,
        /// Headers of every request, such as `Authorization`; their values are secret.
        headers: BTreeMap<String, Secret>,
    },
}

impl McpSource {
    /// Makes a source with the defaults.
    #[must_use]
    pub fn new(name: impl Into<String>, transport: SourceTransport) -> Self {
        Self {
            name: name.into(),
            transport,
            include: Vec::new(),
            exclude: Vec::new(),
            start_time: Duration::from_secs(60),
            call_time: Duration::from_secs(60),
        }
    }

    /// The secrets that are passed to the server.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (SourceTransport::Child { environment: secrets, .. } | SourceTransport::Http { headers: secrets, .. }) =
            &self.transport;
        secrets.values()
    }

    pub(super) fn invalid(&self, message: String, hint: &str) -> SourceError {
        SourceError::Invalid { name: self.name.clone(), message, hint: hint.into() }
    }
}
