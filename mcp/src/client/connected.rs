//! A connected source and its tools.

use std::sync::Arc;

use isolette::{ToolSet, naming::identifier};

use super::{connection::Upstream, error::SourceError, filter::Filter, source::McpSource, tools};

impl McpSource {
    /// Connects and checks the settings. It must be called in a Tokio runtime, on which the connection then runs.
    ///
    /// # Errors
    /// [`SourceError`] if the server cannot be reached, does not speak the protocol or is too slow, or if a name, glob
    /// or header is invalid.
    pub async fn connect(self) -> Result<ConnectedSource, SourceError> {
        let namespace = identifier(&self.name).ok_or_else(|| {
            self.invalid(
                "its name has no letter or digit".into(),
                "name it with letters, digits and `_`, by `NAME=` before the command or by `name`; programs call its \
                 tools as `name.tool`",
            )
        })?;
        let filter = Filter::new(&self)?;
        let upstream = Upstream::connect(self).await?;
        let source = ConnectedSource { namespace, filter, upstream };
        Ok(source)
    }
}

/// A connected source. Its tools keep working after it is dropped; when the last of them is dropped, the connection is
/// closed and a child process is ended.
#[derive(Debug)]
pub struct ConnectedSource {
    namespace: String,
    filter: Filter,
    upstream: Arc<Upstream>,
}

impl ConnectedSource {
    /// The prefix of the names of its tools.
    #[must_use]
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// Lists its current tools.
    ///
    /// # Errors
    /// [`SourceError`] if the server is not available or too slow.
    pub async fn tools(&self) -> Result<ToolSet, SourceError> {
        let listed = self.upstream.list().await?;
        Ok(tools::convert(&self.namespace, listed, &self.filter, &self.upstream))
    }

    /// Closes the connection and ends the child process, if there is one: first by closing its input, then by force.
    /// Tools that are called later connect again.
    pub async fn close(self) {
        self.upstream.close().await;
    }

    /// Waits until the server reports that its tools have changed.
    pub async fn changed(&self) {
        self.upstream.changed().await;
    }
}
