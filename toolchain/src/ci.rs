//! `cargo xtask ci`: runs what CI runs, on this machine: `.ci/run` in a fresh clone of the commits.

use std::fs;

use anyhow::{Context as _, Result};

use crate::{invocation::Invocation, project::Project};

pub(crate) fn ci(project: &Project) -> Result<()> {
    let clone = project.toolchain().join("ci");
    if clone.exists() {
        fs::remove_dir_all(&clone).with_context(|| format!("cannot remove {}", clone.display()))?;
    }
    Invocation::new("clone what is committed", "git")
        .args(["clone", "--quiet", "--no-hardlinks"])
        .arg(project.root())
        .arg(&clone)
        .run()?;
    Invocation::new("run .ci/run in the clone", "bash")
        .arg(".ci/run")
        .env("CI", "true")
        .directory(&clone)
        .hint("the clone has only committed files; the output of the failed step is above")
        .show()
}
