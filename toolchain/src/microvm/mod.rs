//! `cargo xtask microvm`: what runs in micro-VMs, and a machine that can run them.

pub(crate) mod runtime;

use anyhow::{Result, ensure};
use clap::Subcommand;

use crate::{
    image::{self, Selection},
    progress,
    project::Project,
};

/// What can be done about micro-VMs.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build the runtime of micro-VMs and the images that run on it
    Build,
}

pub(crate) fn perform(project: &Project, task: Task) -> Result<()> {
    ensure!(
        runtime::is_for_this_machine(),
        "micro-VMs need Linux on x86-64\nhint: everywhere else programs run in-process, with `--isolation wasm`"
    );
    match task {
        Task::Build => {
            if !image::ensure(project, Selection::All)? {
                progress::note("everything is up to date");
            }
            Ok(())
        }
    }
}
