//! Running the tests, and the output of those that run beside others.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Seek as _},
    path::Path,
    thread,
};

use anyhow::{Context as _, Error, Result, anyhow, ensure};

use crate::{
    invocation::Invocation,
    progress,
    project::{self, Project},
    report::{self, Report},
    test_programs::{self, TestProgram},
};

/// The number of tests that a program runs at the same time, for each processor. Many wait for a server, a client or a time
/// limit.
const TESTS_PER_PROCESSOR: usize = 2;

/// The programs that run one test at a time, because they compare the state of the process after each. They run beside each other
/// and beside the others.
const ONE_AT_A_TIME: [&str; 2] = ["endurance", "hostile"];

/// Runs all tests, or `cargo test` with arguments. No other runner does, because they count a test
/// that was skipped at run time as passed.
pub(super) fn tests(project: &Project, arguments: &[OsString]) -> Result<()> {
    let path = project.target().join("test-report.jsonl");
    if path.exists() {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    let run = if arguments.is_empty() { all_tests(project, &path) } else { some_tests(project, arguments, &path) };
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

fn some_tests(project: &Project, arguments: &[OsString], report: &Path) -> Result<()> {
    Invocation::cargo("run the tests")
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(KINDS)
        .args(project::locked())
        .args(arguments)
        .env(report::VARIABLE, report)
        .directory(project.root())
        .hint("the tests that failed are named above")
        .show()
}

/// All tests but those in the documentation.
const KINDS: [&str; 4] = ["--lib", "--bins", "--tests", "--examples"];

fn all_tests(project: &Project, report: &Path) -> Result<()> {
    let programs = test_programs::compile(project, KINDS)?;
    let (alone, others): (Vec<_>, Vec<_>) =
        programs.iter().partition(|program| ONE_AT_A_TIME.contains(&program.name.as_str()));
    let call = |program: &TestProgram| {
        program
            .call(format!("run the tests of {}", program.path.file_stem().unwrap_or_default().display()))
            .env(report::VARIABLE, report)
            .hint("the tests that failed are named above")
    };
    let threads = thread::available_parallelism().map_or(1, usize::from) * TESTS_PER_PROCESSOR;
    let output = |program: &TestProgram| {
        let path = project.target().join(format!("tests-of-{}.txt", program.name));
        File::options().create(true).truncate(true).read(true).write(true).open(path)
    };
    let mut outputs = alone.iter().map(|program| output(program)).collect::<io::Result<Vec<_>>>()?;
    let failures = thread::scope(|scope| {
        let call = &call;
        let beside = alone.iter().zip(&outputs).map(|(program, output)| {
            Ok(scope.spawn({
                let output = output.try_clone()?;
                move || failed(call(program).run_into(output))
            }))
        });
        let beside = beside.collect::<io::Result<Vec<_>>>()?;
        let mut failures = 0;
        for program in others {
            failures += failed(call(program).args(["--test-threads", &threads.to_string()]).show());
        }
        for program in beside {
            failures += program.join().map_err(|_| anyhow!("running tests beside others panicked"))?;
        }
        Ok::<_, Error>(failures)
    })?;
    for output in &mut outputs {
        output.rewind()?;
        io::copy(output, &mut io::stdout())?;
    }
    ensure!(failures == 0, "tests failed in {failures} of {} programs", programs.len());
    Ok(())
}

/// Prints the message of a failure. Returns the number of failures.
fn failed(result: Result<()>) -> usize {
    let Err(error) = result else { return 0 };
    progress::note(&format!("{error:#}"));
    1
}
