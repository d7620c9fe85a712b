//! The error for a tool that a project names and this machine does not have.

use std::{fmt, path::PathBuf};

/// A tool that a project needs and this machine does not have.
#[derive(Debug)]
pub(super) struct MissingTool {
    /// The project, or its file that names the tool.
    pub(super) project: PathBuf,
    pub(super) tool: &'static str,
    /// The command that installs the version that was tried.
    pub(super) install: String,
}

impl fmt::Display for MissingTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { project, tool, install } = self;
        write!(formatter, "{} is built with {tool}, which is not installed\nhint: `{install}`", project.display())
    }
}

impl std::error::Error for MissingTool {}
