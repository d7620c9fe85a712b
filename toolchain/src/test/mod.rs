//! `cargo xtask test`: runs all checks and tests.

mod checks;
mod python;
mod running;
mod time_limit;

use std::ffi::OsString;

use anyhow::Result;
use clap::Args;

use self::{
    checks::{formatting, lint_workspace, lints},
    running::tests,
    time_limit::{Long, TimeLimit},
};
use crate::{
    assembler,
    image::{self, Selection, examples::Packages},
    import_cycles, install,
    invocation::Invocation,
    lock, microvm, openapi_documents, progress,
    project::{self, Project},
    skip,
    stages::Stages,
    third_party,
};

#[derive(Debug, Args)]
pub(crate) struct Test {
    /// Run only the tests, without formatting and lints
    #[arg(long)]
    no_lints: bool,
    /// Run only the tests of the Python package, in each Python of this machine
    #[arg(long, conflicts_with_all = ["no_lints", "no_harness", "all"])]
    python: bool,
    /// Also do what takes long: compile packages for images and test them, and test micro-VMs in emulated machines if this one
    /// has none. Where `CI` is set, this is done without the option
    #[arg(long)]
    all: bool,
    /// Do not run tests in emulated machines, even with `--all` or where `CI` is set
    #[arg(long)]
    no_harness: bool,
    /// Leave out what takes long where the machine is too slow to be done in this time: packages that are not compiled yet, and
    /// tests in emulated machines. A message names what was left out
    #[arg(long, value_name = "NUMBER")]
    minutes: Option<u32>,
    /// Arguments of `cargo test`; tests in emulated machines are not run then
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Test {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        let mut stages = Stages::default();
        let time = TimeLimit::new(self.minutes);
        let all = self.all || skip::is_in_ci();
        if self.python {
            stages.add("images", || image::ensure(project, Selection::All).map(drop));
            stages.add("Python package", || python::test(project));
            return stages.run();
        }
        if self.no_lints {
            stages.add("images", || image::ensure(project, Selection::All).map(drop));
        } else {
            stages.add("formatting", || formatting(project));
            stages.add("import cycles", || import_cycles::check(project));
            stages.add("images, and lints of the workspace", || {
                image::ensure_beside(project, Selection::All, || lint_workspace(project))
            });
        }
        stages.add("images of the examples", || {
            let packages = if all && time.allows(Long::Packages) { Packages::Build } else { Packages::IfBuiltBefore };
            image::examples::ensure(project, packages).map(drop)
        });
        stages.add("changes to QuickJS", || image::engine::test(project));
        stages.add("pinned documents and programs", || {
            third_party_files(project)?;
            install::clients(project)
        });
        if !self.no_lints {
            stages.add("other lints", || lints(project));
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
        if self.arguments.is_empty() {
            stages.add("Python package", || python::test(project));
        }
        if self.no_harness || !self.arguments.is_empty() {
            stages.add("tests on micro-VMs", || {
                progress::note("not run because of the arguments; `cargo xtask microvm test` runs them");
                Ok(())
            });
        } else if !all {
            stages.add("tests on micro-VMs", || {
                microvm::test::leave_out(project);
                Ok(())
            });
        } else {
            stages.add("tests on micro-VMs", || {
                if time.allows(Long::Microvms) { microvm::test::rest(project, time.last_test()) } else { Ok(()) }
            });
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

/// The crates without micro-VMs. The first time, their dependencies are compiled again for this, so they are not linted as well.
fn without_microvms(project: &Project) -> Result<()> {
    Invocation::cargo("test the host without the feature `microvm`")
        .args(["test", "--package", "isolette", "--package", "isolette-engine", "--no-default-features", "--lib"])
        .args(project::locked())
        .directory(project.root())
        .hint("the tests that failed are named above")
        .run()
}
