//! A server whose tools programs may call: how to reach it, and what of it.

use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Duration};

use globset::{Glob, GlobSet, GlobSetBuilder};
use isolette::{Secret, ToolSet, naming::identifier};
use url::Url;

use super::{connection::Upstream, error::SourceError, tools};

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

    /// Connects, and lists the tools once. It must be called in a Tokio runtime, which the connection then lives in.
    ///
    /// # Errors
    /// The server cannot be reached, does not speak the protocol or is too slow; a name, a glob or a header cannot be
    /// used.
    pub async fn connect(self) -> Result<ConnectedSource, SourceError> {
        let namespace = identifier(&self.name).ok_or_else(|| {
            self.invalid(
                "its name has no letter or digit".into(),
                "name it with letters, digits and `_`, by `NAME=` before the command or by `name`; programs call its \
                 tools as `name.tool`",
            )
        })?;
        let filter = Filter { include: self.globs(&self.include)?, exclude: self.globs(&self.exclude)? };
        let upstream = Upstream::connect(self).await?;
        let source = ConnectedSource { namespace, filter, upstream };
        Ok(source)
    }

    fn globs(&self, patterns: &[String]) -> Result<GlobSet, SourceError> {
        let mut set = GlobSetBuilder::new();
        let wrong = |error: globset::Error| {
            self.invalid(error.to_string(), "use `*` and `?`, as in `get_*`; `*` alone is every tool")
        };
        for pattern in patterns {
            set.add(Glob::new(pattern).map_err(wrong)?);
        }
        set.build().map_err(wrong)
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

/// Which tools of a server are wanted.
#[derive(Debug)]
pub(super) struct Filter {
    include: GlobSet,
    exclude: GlobSet,
}

impl Filter {
    /// Whether a tool is wanted that the server knows by this name.
    pub(super) fn wants(&self, namespace: &str, name: &str) -> bool {
        let known = identifier(name);
        let full = known.as_ref().map(|known| format!("{namespace}.{known}"));
        let names = [Some(name), known.as_deref(), full.as_deref()];
        let matches = |globs: &GlobSet| names.iter().flatten().any(|name| globs.is_match(name));
        (self.include.is_empty() || matches(&self.include)) && !matches(&self.exclude)
    }
}

/// A source that is connected. Its tools go on working after it is dropped; when the last of them is gone, so is the
/// connection, and a child process with it.
#[derive(Debug)]
pub struct ConnectedSource {
    namespace: String,
    filter: Filter,
    upstream: Arc<Upstream>,
}

impl ConnectedSource {
    /// What the names of its tools begin with.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Lists its tools as they are now.
    ///
    /// # Errors
    /// The server is gone or too slow.
    pub async fn tools(&self) -> Result<ToolSet, SourceError> {
        let listed = self.upstream.list().await?;
        Ok(tools::convert(&self.namespace, listed, &self.filter, &self.upstream))
    }

    /// Ends the connection, and the child process if there is one: first by closing its input, then by force. Tools that
    /// are called after this connect again.
    pub async fn close(self) {
        self.upstream.close().await;
    }

    /// Waits until the server says that its tools are others now.
    pub async fn changed(&self) {
        self.upstream.changed().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(include: &[&str], exclude: &[&str]) -> bool {
        let source = McpSource::new(
            "shop",
            SourceTransport::Http { url: Url::parse("http://127.0.0.1/").expect("a URL"), headers: BTreeMap::new() },
        );
        let globs = |patterns: &[&str]| {
            let patterns: Vec<_> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
            source.globs(&patterns).expect("globs")
        };
        Filter { include: globs(include), exclude: globs(exclude) }.wants("shop", "get-weather")
    }

    #[test]
    fn a_tool_is_known_by_each_of_its_names() {
        for pattern in ["get-weather", "get_weather", "get_*", "get-*", "shop.get_*", "shop.*", "*"] {
            assert!(wanted(&[pattern], &[]), "{pattern}");
            assert!(!wanted(&[], &[pattern]), "{pattern}");
        }
        for pattern in ["weather", "other.*", "shop", "shop.get-weather"] {
            assert!(!wanted(&[pattern], &[]), "{pattern}");
            assert!(wanted(&[], &[pattern]), "{pattern}");
        }
    }
}
