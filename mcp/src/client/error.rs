//! Why a server's tools cannot be had.

use std::time::Duration;

/// What is wrong with a source of tools. Each names the source, since there may be many.
#[derive(Debug, thiserror::Error)]
#[error("{}\nhint: {}", self.message(), self.hint())]
#[non_exhaustive]
pub enum SourceError {
    /// What was asked for cannot be.
    Invalid {
        /// The source.
        name: String,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// It is not there, or does not speak the protocol.
    Unusable {
        /// The source.
        name: String,
        /// What happened.
        reason: String,
        /// The end of what a child process wrote to its standard error.
        stderr: String,
    },
    /// It took too long to answer.
    Timeout {
        /// The source.
        name: String,
        /// How long it had.
        limit: Duration,
        /// The end of what a child process wrote to its standard error.
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
