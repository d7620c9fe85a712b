//! A source that is connected, and its tools.

use std::sync::Arc;

use isolette::{ToolSet, naming::identifier};

use super::{connection::Upstream, error::SourceError, filter::Filter, source::McpSource, tools};

impl McpSource {
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
        let filter = Filter::new(&self)?;
        let upstream = Upstream::connect(self).await?;
        let source = ConnectedSource { namespace, filter, upstream };
        Ok(source)
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
