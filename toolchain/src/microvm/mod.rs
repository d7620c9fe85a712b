//! `cargo xtask microvm`: what runs in micro-VMs, and a machine that can run them.

mod bench;
mod harness;
pub(crate) mod kernel;
mod leg;
mod machine;
mod results;
pub(crate) mod test;

use std::{ffi::OsStr, thread, time::Duration};

use anyhow::{Result, bail, ensure};
use clap::Subcommand;

use self::{
    harness::{Errand, Harness},
    machine::{Console, Ending, Machine},
};
use crate::{
    image::{self, Selection},
    progress,
    project::Project,
    runtime,
};

/// How often one looks whether a machine has ended.
const LOOK_AROUND: Duration = Duration::from_millis(200);

/// What can be done about micro-VMs.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Build the runtime of micro-VMs and the images that run on it
    Build,
    /// Run the tests on micro-VMs; where this machine has none, in one that QEMU emulates
    Test(test::Test),
    /// Measure what micro-VMs cost, beside another system; where this machine has none, in one that QEMU emulates
    Bench(bench::Bench),
    /// Open a shell in the machine that QEMU emulates; leave it with `exit`
    Shell {
        /// A command to run there instead
        #[arg(last = true, value_name = "COMMAND")]
        command: Vec<std::ffi::OsString>,
    },
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
    let mut machine = harness.boot(&Errand { name: "shell", script: &script, console })?;
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
        thread::sleep(LOOK_AROUND);
    }
}

fn words<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> Vec<String> {
    words.into_iter().map(quote).collect()
}

/// A word as the shell takes it literally.
fn quote(word: &OsStr) -> String {
    format!("'{}'", word.to_string_lossy().replace('\'', r"'\''"))
}
