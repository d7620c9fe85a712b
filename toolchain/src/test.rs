//! `cargo xtask test`: everything that must hold before a change lands.

use std::{ffi::OsString, fs};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::{
    assembler, foreign, fuzz,
    image::{self, Selection},
    import_cycles, install,
    invocation::Invocation,
    lock, microvm, openapi_documents, progress,
    project::{self, Project},
    report::{self, Report},
    runtime,
    stages::Stages,
};

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run the tests alone: no formatting check, no lints
    #[arg(long)]
    no_lints: bool,
    /// Run no tests in emulated machines where this one cannot run micro-VMs
    #[arg(long)]
    no_harness: bool,
    /// What to pass to `cargo test`; the tests that need an emulated machine are left out then
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
                progress::note("left out, as was asked for; `cargo xtask microvm test` runs them");
                Ok(())
            });
        } else {
            stages.add("tests on micro-VMs", || microvm::test::rest(project));
        }
        stages.run()
    }
}

/// Real documents for one of the tests, and what programs are compared with in others.
fn third_party_files(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    openapi_documents::ensure(project)?;
    foreign::ensure(project).map(drop)
}

fn formatting(project: &Project) -> Result<()> {
    component("rustfmt", "fmt")?;
    let apart = ["guest-js", fuzz::FOLDER, runtime::FOLDER].map(|folder| (folder, project.path(folder)));
    for (what, folder) in [("the workspace", project.root().to_owned())].into_iter().chain(apart) {
        Invocation::cargo(format!("check the formatting of {what}"))
            .args(["fmt", "--all", "--check"])
            .directory(folder)
            .hint("`cargo fmt` mends it")
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
        .hint("the lint is named above; `cargo clippy --fix` mends some")
        .run()?;
    image::guest_cargo("lint guest-js", project)?
        .args(["clippy", "--release", "--workspace", "--", "--deny", "warnings"])
        .directory(project.path("guest-js"))
        .hint("the lint is named above")
        .run()?;
    fuzz::lint(project)?;
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

/// Examples in the documentation. They come before the tests, so that the last line is that of the tests.
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
        .hint("the message of the compiler is above")
        .run()
}

/// The crates as embedders build them that want no micro-VMs. The first time, their dependencies are compiled once more for that.
fn without_microvms(project: &Project) -> Result<()> {
    Invocation::cargo("test the host without the feature `microvm`")
        .args(["test", "--package", "isolette", "--package", "isolette-engine", "--no-default-features", "--lib"])
        .args(project::locked())
        .directory(project.root())
        .hint("the tests that failed are named above")
        .run()
}

/// With `cargo test` alone: other runners count a test that was skipped at run time as passed.
fn tests(project: &Project, arguments: &[OsString]) -> Result<()> {
    let path = project.target().join("test-report.jsonl");
    if path.exists() {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let run = Invocation::cargo("run the tests")
        .args(["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"])
        .args(project::locked())
        .args(arguments)
        .env(report::VARIABLE, &path)
        .directory(project.root())
        .hint("the tests that failed are named above")
        .show();
    if run.is_err() {
        // Once more at the end: between them and here are the results of whole programs.
        let mut report = Report::at(path);
        match report.read() {
            Ok(_) => report.tell_failures(),
            Err(error) => progress::note(&format!("{error:#}")),
        }
    }
    run
}

/// Adds a component of the compiler if it is not there.
fn component(name: &str, subcommand: &str) -> Result<()> {
    if Invocation::cargo(format!("look for {name}")).args([subcommand, "--version"]).output().is_ok() {
        return Ok(());
    }
    Invocation::new(format!("add the component {name}"), "rustup")
        .args(["component", "add", name])
        .hint(format!("without rustup, install {name} as your system does it"))
        .run()
}
