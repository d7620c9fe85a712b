//! `cargo xtask test`: runs all checks and tests.

use std::{ffi::OsString, fs, thread};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    assembler, fuzz,
    image::{self, Selection},
    import_cycles, install,
    invocation::Invocation,
    lock, microvm, openapi_documents, progress,
    project::{self, Project},
    report::{self, Report},
    runtime,
    stages::Stages,
    third_party,
};

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run only the tests, without formatting and lints
    #[arg(long)]
    no_lints: bool,
    /// Do not run tests in emulated machines
    #[arg(long)]
    no_harness: bool,
    /// Arguments of `cargo test`; tests in emulated machines are not run then
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        let mut stages = Stages::default();
        if !self.no_lints {
            stages.add("formatting", || formatting(project));
            stages.add("import cycles", || import_cycles::check(project));
        }
        stages.add("images", || image::ensure(project, Selection::All).map(drop));
        stages.add("images of the examples", || image::examples::ensure(project).map(drop));
        stages.add("changes to QuickJS", || image::engine::test(project));
        stages.add("pinned documents and programs", || {
            third_party_files(project)?;
            install::clients(project)
        });
        if !self.no_lints {
            stages.add("lints", || lints(project));
        }
        stages.add("documentation examples", || documentation(project));
        // The tests start both programs.
        stages.add("programs that tests start", || {
            assembler::build_programs(project)?;
            examples(project)
        });
        if self.arguments.is_empty() {
            stages.add("host without micro-VMs", || without_microvms(project));
        }
        stages.add("tests in this machine", || tests(project, &self.arguments));
        if self.no_harness || !self.arguments.is_empty() {
            stages.add("tests on micro-VMs", || {
                progress::note("not run because of the arguments; `cargo xtask microvm test` runs them");
                Ok(())
            });
        } else {
            stages.add("tests on micro-VMs", || microvm::test::rest(project));
        }
        stages.run()
    }
}

/// OpenAPI documents and programs of third parties that tests use.
fn third_party_files(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    openapi_documents::ensure(project)?;
    third_party::ensure(project).map(drop)
}

fn formatting(project: &Project) -> Result<()> {
    component("rustfmt", "fmt")?;
    let apart = ["guest-js", fuzz::FOLDER, runtime::FOLDER].map(|folder| (folder, project.path(folder)));
    for (what, folder) in [("the workspace", project.root().to_owned())].into_iter().chain(apart) {
        Invocation::cargo(format!("check the formatting of {what}"))
            .args(["fmt", "--all", "--check"])
            .directory(folder)
            .hint("`cargo fmt` fixes it")
            .run()?;
    }
    Ok(())
}

fn lints(project: &Project) -> Result<()> {
    component("clippy", "clippy")?;
    Invocation::cargo("lint the workspace")
        .args(["clippy", "--workspace", "--all-targets"])
        .args(project::locked())
        .args(["--", "--deny", "warnings"])
        .directory(project.root())
        .hint("the lint is named above; `cargo clippy --fix` fixes some")
        .run()?;
    image::guest_cargo("lint guest-js", project)?
        .args(["clippy", "--release", "--workspace", "--", "--deny", "warnings"])
        .directory(project.path("guest-js"))
        .hint("the lint is named above")
        .run()?;
    Invocation::cargo("lint the crate without any feature")
        .args(["clippy", "--package", "isolette", "--no-default-features"])
        .args(project::locked())
        .args(["--", "--deny", "warnings"])
        .directory(project.root())
        .hint("the lint is named above")
        .run()?;
    if !runtime::is_for_this_machine() {
        return Ok(());
    }
    runtime::cargo("lint the runtime of micro-VMs", project)?
        .args(["clippy", "--release", "--", "--deny", "warnings"])
        .hint("the lint is named above")
        .run()
}

/// Examples in the documentation. They come first, so that the last line of the output is that of the tests.
fn documentation(project: &Project) -> Result<()> {
    Invocation::cargo("test the examples in the documentation")
        .args(["test", "--workspace", "--doc"])
        .args(project::locked())
        .directory(project.root())
        .show()
}

/// Selected from the whole workspace for the same reason as [`assembler::build_programs`].
fn examples(project: &Project) -> Result<()> {
    Invocation::cargo("compile the examples")
        .args(["build", "--workspace", "--bin", "embed", "--bin", "agent-rust"])
        .args(project::locked())
        .directory(project.root())
        .hint("the compiler's message is above")
        .run()
}

/// The crates without micro-VMs. The first time, their dependencies are compiled again for this.
fn without_microvms(project: &Project) -> Result<()> {
    Invocation::cargo("test the host without the feature `microvm`")
        .args(["test", "--package", "isolette", "--package", "isolette-engine", "--no-default-features", "--lib"])
        .args(project::locked())
        .directory(project.root())
        .hint("the tests that failed are named above")
        .run()
}

/// The number of tests that run at the same time, for each processor. Many wait for a server, a client or a time limit.
const TESTS_PER_PROCESSOR: usize = 2;

/// Uses `cargo test`, because other runners count a test that was skipped at run time as passed.
fn tests(project: &Project, arguments: &[OsString]) -> Result<()> {
    let path = project.target().join("test-report.jsonl");
    if path.exists() {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let mut cargo = Invocation::cargo("run the tests")
        .args(["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"])
        .args(project::locked())
        .args(arguments);
    if arguments.is_empty() {
        let threads = thread::available_parallelism().map_or(1, usize::from) * TESTS_PER_PROCESSOR;
        cargo = cargo.args(["--", "--test-threads", &threads.to_string()]);
    }
    let run = cargo
        .env(report::VARIABLE, &path)
        .directory(project.root())
        .hint("the tests that failed are named above")
        .show();
    if run.is_err() {
        // Failures are repeated at the end, after the output of all test programs.
        let mut report = Report::at(path);
        match report.read() {
            Ok(_) => report.print_failures(),
            Err(error) => progress::note(&format!("{error:#}")),
        }
    }
    run
}

/// Installs a component of the compiler if it is missing.
fn component(name: &str, subcommand: &str) -> Result<()> {
    if Invocation::cargo(format!("look for {name}")).args([subcommand, "--version"]).output().is_ok() {
        return Ok(());
    }
    Invocation::new(format!("add the component {name}"), "rustup")
        .args(["component", "add", name])
        .hint(format!("without rustup, install {name} with your package manager"))
        .run()
}
