//! Tests on micro-VMs: on this machine if it can run them, otherwise in machines that QEMU emulates.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use super::{
    emulated::Emulated,
    harness::Harness,
    results::{self, Results},
    selection,
};
use crate::{
    assembler,
    image::{self, Selection},
    invocation::Invocation,
    progress,
    project::Project,
    report::{self, Report},
    runtime,
    skip::or_skip,
    test_programs,
};

/// The part of a test's name that shows that it uses micro-VMs.
const FILTER: &str = "microvm";

/// The test programs with such tests. The one with the longest tests comes first, because the last one is run by one machine
/// alone.
const PROGRAMS: [&str; 3] = ["endurance", "hostile", "conformance"];

/// The maximum number of machines that do not slow each other down.
const MOST_MACHINES: usize = 4;

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Emulate machines even if this machine can run micro-VMs
    #[arg(long)]
    harness: bool,
    /// Number of machines to emulate at a time. Default: one for each processor, up to four
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=16))]
    machines: Option<u16>,
    /// Arguments for the test programs, instead of a filter for micro-VMs
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        image::ensure(project, Selection::All)?;
        image::examples::ensure(project, image::examples::Packages::Build)?;
        assembler::build_programs(project)?;
        let arguments = if self.arguments.is_empty() { vec![FILTER.into()] } else { self.arguments };
        let run = Run { programs: programs(project)?, arguments, all: true, until: None };
        if !self.harness {
            match missing(project) {
                None => return run.here(project),
                Some(reason) => progress::note(&format!("this machine cannot run micro-VMs: {reason}")),
            }
        }
        let machines = self.machines.map_or_else(machines, usize::from);
        run.emulated(project, &Harness::prepare(project)?, machines)
    }
}

/// The tests of `cargo xtask test` that this machine cannot run, if there are any. Everything is built. No test begins after `until`.
pub(crate) fn rest(project: &Project, until: Option<Instant>) -> Result<()> {
    let Some(reason) = unable(project) else { return Ok(()) };
    progress::note(&format!("tests on micro-VMs: this machine cannot run micro-VMs: {reason}"));
    let Some(harness) = or_skip("tests on micro-VMs", Harness::prepare(project))? else { return Ok(()) };
    let run = Run { programs: programs(project)?, arguments: vec![FILTER.into()], all: false, until };
    run.emulated(project, &harness, machines())
}

/// Says of the same tests that they are not run, and why.
pub(crate) fn leave_out(project: &Project) {
    if let Some(reason) = unable(project) {
        progress::note(&format!(
            "tests on micro-VMs: skipped: this machine cannot run micro-VMs ({reason}); `--all` and `cargo xtask microvm test` \
             run them in emulated machines, for some twenty minutes on two processors"
        ));
    }
}

/// Why this machine has not run the tests on micro-VMs, if others can; else a message says what became of them.
fn unable(project: &Project) -> Option<String> {
    if !runtime::is_for_this_machine() {
        progress::note("tests on micro-VMs: skipped: they need Linux on x86-64");
        return None;
    }
    let reason = missing(project);
    if reason.is_none() {
        progress::note("tests on micro-VMs: this machine ran them, above");
    }
    reason
}

fn machines() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MOST_MACHINES)
}

/// The reason why this machine cannot run micro-VMs.
pub(super) fn missing(project: &Project) -> Option<String> {
    let program = project.target().join("debug/isolette");
    let probe = Invocation::new("try to run a micro-VM", program).args(["run", "--isolation", "microvm", "--explain"]);
    let error = format!("{:#}", probe.args(["--code", "0"]).output().err()?);
    let reason =
        error.lines().find_map(|line| line.split_once("is not available: ")).map(|(_, reason)| reason.to_owned());
    Some(reason.unwrap_or(error))
}

/// The test programs and their arguments.
struct Run {
    programs: Vec<PathBuf>,
    arguments: Vec<OsString>,
    /// Whether emulated machines leave no test out.
    all: bool,
    /// When no further test begins in an emulated machine.
    until: Option<Instant>,
}

impl Run {
    fn here(&self, project: &Project) -> Result<()> {
        let folder = results::empty(project)?;
        let (started, mut failure) = (Instant::now(), None);
        let mut report = Report::at(folder.join("report.jsonl"));
        let expected = self.expected(project)?;
        for program in &self.programs {
            let run = Invocation::new("run tests on micro-VMs", program)
                .args(&self.arguments)
                .env(report::VARIABLE, folder.join("report.jsonl"))
                .directory(project.path("tests"))
                .hint("the tests that failed are named above");
            failure = run.show().err().or(failure);
        }
        report.read()?;
        conclude(&Results::new(report.tests, &expected, started.elapsed(), "on this machine"), &folder)?;
        failure.map_or(Ok(()), Err)
    }

    fn emulated(&self, project: &Project, harness: &Harness, machines: usize) -> Result<()> {
        // The file system is only in memory, so that nothing depends on what the host keeps.
        let mut commands = "export HOME=/root XDG_CACHE_HOME=/tmp/isolette-cache ISOLETTE_TEST_MACHINE=emulated\n\
                            status=0\n"
            .to_owned();
        // cargo, which tells insta where snapshots are, does not exist there.
        commands += &format!("export INSTA_WORKSPACE_ROOT={}\n", super::quote(project.root().as_os_str()));
        commands += &format!("cd {}\n", super::quote(project.path("tests").as_os_str()));
        for program in &self.programs {
            let mut line = super::words([program.as_os_str()]);
            line.extend(super::words(self.arguments.iter().map(OsString::as_os_str)));
            commands += &format!("{} || status=$?\n", line.join(" "));
        }
        commands += "exit $status\n";
        let mut expected = self.expected(project)?;
        let left_out = if self.all { BTreeSet::new() } else { selection::left_out(&expected) };
        if !left_out.is_empty() {
            expected.retain(|test| !left_out.contains(test));
            let (runs, all) = (expected.len(), expected.len() + left_out.len());
            progress::note(&format!(
                "{runs} of {all} tests: what differs in a micro-VM, and one of eight others, which all run in processes; \
                 `cargo xtask microvm test` runs all"
            ));
        }
        let machines = machines.min(expected.len());
        let until = self.until;
        let results = Emulated { harness, commands: &commands, expected, left_out, machines, until }.run()?;
        conclude(&results, harness.results())
    }

    /// The names of all tests that will run.
    fn expected(&self, project: &Project) -> Result<BTreeSet<String>> {
        let mut expected = BTreeSet::new();
        for program in &self.programs {
            let list = Invocation::new("list the tests", program).arg("--list").args(&self.arguments);
            let list = list.directory(project.path("tests")).output()?;
            expected.extend(list.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned));
        }
        ensure!(!expected.is_empty(), "no test matches: {}", self.arguments.join(" ".as_ref()).display());
        Ok(expected)
    }
}

fn conclude(results: &Results, folder: &Path) -> Result<()> {
    results.save(folder)?;
    results.print(folder);
    ensure!(results.good(), "tests failed on micro-VMs; they are named above");
    Ok(())
}

/// Compiles the test programs and returns their paths.
fn programs(project: &Project) -> Result<Vec<PathBuf>> {
    let made = test_programs::compile(project, PROGRAMS.into_iter().flat_map(|program| ["--test", program]))?;
    let find = |name: &str| {
        let program = made.iter().find(|program| program.name == name);
        program.map(|program| program.path.clone()).with_context(|| format!("cargo did not build `{name}`"))
    };
    PROGRAMS.into_iter().map(find).collect()
}
