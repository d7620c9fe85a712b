//! The tests of the whole on micro-VMs: here if this machine can run them, else in the harness.

use std::{ffi::OsString, path::PathBuf, time::Duration};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde::Deserialize;

use super::harness::{Errand, Harness};
use crate::{
    assembler,
    image::{self, Selection},
    invocation::Invocation,
    lock, progress,
    project::{self, Project},
    setup, tools,
};

/// Those tests that have to do with micro-VMs have this in their names.
const FILTER: &str = "microvm";

/// Nobody waits longer than this for the harness.
const LIMIT: Duration = Duration::from_secs(20 * 60);

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Use the harness even where this machine can run micro-VMs itself
    #[arg(long)]
    harness: bool,
    /// What to pass to the test program, instead of a filter for micro-VMs
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, Selection::All)?;
        assembler::build_programs(project)?;
        let program = program(project)?;
        let arguments = if self.arguments.is_empty() { vec![FILTER.into()] } else { self.arguments };
        if !self.harness {
            match missing(project) {
                None => return here(project, &program, &arguments),
                Some(reason) => progress::note(&format!("not on this machine itself: {reason}")),
            }
        }
        let mut line = super::words([program.as_os_str()]);
        line.extend(super::words(arguments.iter().map(OsString::as_os_str)));
        let script = format!("cd {} && {}", super::quote(project.path("tests").as_os_str()), line.join(" "));
        let status = harness(project)?.run(&Errand { script: &script, interactive: false, limit: LIMIT })?;
        ensure!(status == 0, "tests failed in the harness; they are named above");
        Ok(())
    }
}

/// Gets the harness and what it needs.
pub(super) fn harness(project: &Project) -> Result<Harness> {
    let _lock = lock::acquire(project)?;
    setup::programs(&tools::FOR_HARNESS)?;
    Harness::prepare(project)
}

/// Why this machine cannot run micro-VMs itself.
fn missing(project: &Project) -> Option<String> {
    let program = project.target().join("debug/isolette");
    let probe = Invocation::new("try to run a micro-VM", program).args(["run", "--isolation", "microvm", "--explain"]);
    let error = format!("{:#}", probe.args(["--code", "0"]).output().err()?);
    let reason =
        error.lines().find_map(|line| line.split_once("is not available: ")).map(|(_, reason)| reason.to_owned());
    Some(reason.unwrap_or(error))
}

fn here(project: &Project, program: &PathBuf, arguments: &[OsString]) -> Result<()> {
    Invocation::new("run the tests on micro-VMs", program)
        .args(arguments)
        .directory(project.path("tests"))
        .hint("the tests that failed are named above")
        .show()
}

/// Compiles the test program and says where it is.
fn program(project: &Project) -> Result<PathBuf> {
    #[derive(Deserialize)]
    struct Message {
        executable: Option<PathBuf>,
    }
    progress::note("compiling the tests");
    // Selected from the whole workspace for the same reason as the programs.
    let messages = Invocation::cargo("compile the tests")
        .args(["test", "--workspace", "--no-run", "--test", "conformance", "--message-format", "json"])
        .args(project::locked())
        .directory(project.root())
        .hint("the message of the compiler is above")
        .output()?;
    let mut executables = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()?.executable);
    executables.next_back().context("cargo has made no test program")
}
