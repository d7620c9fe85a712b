//! Why a server's tools cannot be had.

use std::time::Duration;

/// What is wrong with a source of tools. Each names the source, since there may be many.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// What was asked for cannot be.
    #[error("MCP server `{name}`: {message}\nhint: {hint}")]
    Invalid {
        /// The source.
        name: String,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// It is not there, or does not speak the protocol.
    #[error("MCP server `{name}` cannot be used: {reason}{}", said(.stderr))]
    Unusable {
        /// The source.
        name: String,
        /// What happened.
        reason: String,
        /// The end of what a child process wrote to its standard error.
        stderr: String,
    },
    /// It took too long to answer.
    #[error(
        "MCP server `{name}` did not answer within {limit:?}{}\nhint: look whether it runs, or give it more time",
        said(.stderr)
    )]
    Timeout {
        /// The source.
        name: String,
        /// How long it had.
        limit: Duration,
        /// The end of what a child process wrote to its standard error.
        stderr: String,
    },
}

fn said(stderr: &str) -> String {
    let stderr = stderr.trim();
    if stderr.is_empty() { String::new() } else { format!("\nit said:\n{stderr}") }
}
