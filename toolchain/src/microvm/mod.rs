//! `cargo xtask microvm`: tests and measures micro-VMs, in an emulated machine where this one cannot run them.

mod bench;
mod emulated;
mod harness;
pub(crate) mod kernel;
mod machine;
mod results;
mod selection;
pub(crate) mod test;

use std::{ffi::OsStr, thread, time::Duration};

use anyhow::{Result, bail, ensure};
use clap::Subcommand;

use self::{
    harness::{Clock, Harness, Job},
    machine::{Console, Ending, Machine},
};
use crate::{
    image::{self, Selection},
    progress,
    project::Project,
    runtime,
};

/// The interval of checks whether a machine has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The tasks for micro-VMs.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build the micro-VM runtime and the images that run on it
    Build,
    /// Run the tests on micro-VMs; in a machine that QEMU emulates if this one cannot run micro-VMs
    Test(test::Test),
    /// Measure micro-VMs and another system; in a machine that QEMU emulates if this one cannot run micro-VMs
    Bench(bench::Bench),
    /// Open a shell in the machine that QEMU emulates; `exit` ends it
    Shell {
        /// A command to run instead of the shell
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<std::ffi::OsString>,
    },
}

pub(crate) fn perform(project: &Project, task: Task) -> Result<()> {
    ensure!(runtime::is_for_this_machine(), "micro-VMs need Linux on x86-64\nhint: elsewhere, use `--isolation wasm`");
    match task {
        Task::Build => {
            if !image::ensure(project, Selection::All)? {
                progress::note("everything is up to date");
            }
            Ok(())
        }
        Task::Test(test) => test.perform(project),
        Task::Bench(bench) => bench.perform(project),
        Task::Shell { command } => shell(project, &command),
    }
}

fn shell(project: &Project, command: &[std::ffi::OsString]) -> Result<()> {
    let interactive = command.is_empty();
    let words = if interactive { vec!["bash".to_owned()] } else { words(command.iter().map(|word| word.as_os_str())) };
    let line = format!("cd {} && {}", quote(project.root().as_os_str()), words.join(" "));
    let script = format!("export PATH={}:$PATH HOME=/root\n{line}", quote(project.target().join("debug").as_os_str()));
    let console = if interactive { Console::Terminal } else { Console::Shown };
    progress::note("booting a machine with emulated virtualisation; it sees your files and cannot change them");
    let harness = Harness::prepare(project)?;
    let mut machine = harness.boot(&Job { name: "shell", script: &script, console, clock: Clock::Time })?;
    match wait(&mut machine)? {
        Ending::Done(0) => Ok(()),
        Ending::Done(status) => std::process::exit(status),
        Ending::Broken(reason) => bail!("the machine broke: {reason}\nhint: try again"),
    }
}

/// Waits until a machine has ended.
fn wait(machine: &mut Machine) -> Result<Ending> {
    loop {
        if let Some(ending) = machine.look()? {
            return Ok(ending);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> Vec<String> {
    words.into_iter().map(quote).collect()
}

/// A word as the shell takes it literally.
fn quote(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}
