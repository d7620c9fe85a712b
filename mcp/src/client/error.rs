//! Errors of sources of tools.

use std::time::Duration;

/// The reason why a source of tools cannot be used. Each error names the source, since there may be several.
#[derive(Debug, thiserror::Error)]
#[error("{}\nhint: {}", self.message(), self.hint())]
#[non_exhaustive]
pub enum SourceError {
    /// The settings of the source are invalid.
    Invalid {
        /// Name of the source.
        name: String,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The server is not available, or does not speak the protocol.
    Unusable {
        /// Name of the source.
        name: String,
        /// What happened.
        reason: String,
        /// The end of the child process's standard error.
        stderr: String,
    },
    /// The server did not answer in time.
    Timeout {
        /// Name of the source.
        name: String,
        /// The time limit.
        limit: Duration,
        /// The end of the child process's standard error.
        stderr: String,
    },
}

impl SourceError {
    /// What happened.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Invalid { name, message, .. } => format!("MCP server `{name}`: {message}"),
            Self::Unusable { name, reason, stderr } => {
                format!("MCP server `{name}` cannot be used: {reason}{}", said(stderr))
            }
            Self::Timeout { name, limit, stderr } => {
                format!("MCP server `{name}` did not answer within {limit:?}{}", said(stderr))
            }
        }
    }

    /// What to do.
    #[must_use]
    pub fn hint(&self) -> &str {
        match self {
            Self::Invalid { hint, .. } => hint,
            Self::Unusable { .. } => "start the server by hand to see what it says",
            Self::Timeout { .. } => "look whether it runs, or give it more time",
        }
    }
}

fn said(stderr: &str) -> String {
    let stderr = stderr.trim();
    if stderr.is_empty() { String::new() } else { format!("\nit said:\n{stderr}") }
}
