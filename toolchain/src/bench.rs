//! `cargo xtask bench`: measures what `docs/performance.md` states, and with `--code-mode` what `docs/code-mode.md` does.

use std::{ffi::OsString, os::unix::process::CommandExt as _, path::PathBuf, process::Command};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    image::{self, Selection},
    invocation::Invocation,
    project::{self, Project},
};

/// Builds the images and the program that measures, and runs it.
pub(crate) fn build(project: &Project) -> Result<PathBuf> {
    image::ensure(project, Selection::All)?;
    Invocation::cargo("compile the benchmarks in release mode")
        .args(["build", "--release", "--package", "isolette-bench", "--package", "isolette-cli"])
        .args(project::locked())
        .directory(project.root())
        .run()?;
    Ok(project.target().join("release/isolette-bench"))
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Arguments of the benchmarks, such as `--json` or `--code-mode`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Bench {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        let program = build(project)?;
        let error = Command::new(&program).args(self.arguments).exec();
        Err(error).with_context(|| format!("cannot start {}", program.display()))
    }
}
