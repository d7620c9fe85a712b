//! A server whose tools programs may call: how to reach it, and what of it.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use isolette::Secret;
use url::Url;

use super::error::SourceError;

/// Another server of the protocol, as a source of tools.
///
/// | option | default |
/// |---|---|
/// | `include` | every tool |
/// | `exclude` | none |
/// | `start_time` | 60 s, to connect and to list |
/// | `call_time` | 60 s for one call; the time of the run holds besides |
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct McpSource {
    /// Its name. Programs know its tools by it, as `name.tool`.
    pub name: String,
    /// How to reach it.
    pub transport: SourceTransport,
    /// Only tools whose names match one of these globs: as the server has them (`create-issue`), or as programs have them,
    /// with the name of the source before it or without (`github.create_issue`, `create_issue`).
    pub include: Vec<String>,
    /// No tools whose names match one of these, in the same way.
    pub exclude: Vec<String>,
    /// How long it may take to connect and to list its tools.
    pub start_time: Duration,
    /// How long one call may take.
    pub call_time: Duration,
}

/// How to reach a server.
#[derive(Clone, Debug)]
pub enum SourceTransport {
    /// A program that is started, speaks over its standard input and output, and is ended with us.
    Child {
        /// The program, by name or path.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// Its environment: nothing but this, `variables`, and `PATH` and `HOME` as ours. What is in here is a secret, which
        /// the server may repeat to nobody.
        environment: BTreeMap<String, Secret>,
        /// What everybody may know of its environment.
        variables: BTreeMap<String, String>,
        /// Where it is started. Default: where we were.
        directory: Option<PathBuf>,
    },
    /// A server that runs already.
    Http {
        /// Where it is.
        url: Url,
        /// What every request to it has in its head, such as `Authorization`.
        headers: BTreeMap<String, Secret>,
    },
}

impl McpSource {
    /// A source with the defaults.
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

    /// What the server is given and nobody else may see.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        let (SourceTransport::Child { environment: secrets, .. } | SourceTransport::Http { headers: secrets, .. }) =
            &self.transport;
        secrets.values()
    }

    pub(super) fn invalid(&self, message: String, hint: &str) -> SourceError {
        SourceError::Invalid { name: self.name.clone(), message, hint: hint.into() }
    }
}
