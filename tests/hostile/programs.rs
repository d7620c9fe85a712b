//! Runs the programs below `hostile/programs/`, each on every engine.
//!
//! Each program ends as its header says, nothing outside of the sandbox was reached, the host holds what it held before, and
//! the next program in the same sandbox finds nothing of it.

use std::{collections::BTreeSet, path::Path, sync::Arc, time::Duration};

use isolette::{Isolation, RunOptions, Sandbox, policy::Limits};
use isolette_tests::{
    Case, Outcome as _, engines, every_file, guests,
    hostile::{self, Ended, Program, Setup, describe},
    libtest_mimic::Trial,
    on_engine, panics, report,
};
use serde_json::{Value, json};

use crate::{
    context::{GuestContext, TIMEOUT, timeout_of_endless},
    process::ProcessState,
};

/// With the default limits: the timeout of a program that may run until it.
const TIMEOUT_OF_ENDLESS: Duration = Duration::from_secs(2);

/// With the default limits: the timeout of a program that ends by itself, on a slow machine too.
const TIMEOUT_OF_FINITE: Duration = Duration::from_secs(300);

/// One test for each program and engine, and the checks that no program is missing among them.
pub(crate) fn trials() -> Vec<Trial> {
    let folder = hostile::folder();
    let paths = every_file::files(&folder);
    // A file that is no program is reported by the first check.
    let programs: Vec<_> = paths.iter().filter_map(|path| Program::read(&folder, path).ok()).map(Arc::new).collect();
    let mut trials: Vec<Trial> = Vec::new();
    for program in &programs {
        for isolation in engines::ALL {
            let case = Case::new(program.language, isolation);
            let tested = Arc::clone(program);
            trials.push(on_engine(name(program, isolation), case, move |case| contain(case, &tested)));
        }
    }
    let registered: BTreeSet<String> = trials.iter().map(|trial| trial.name().to_owned()).collect();
    trials.push(report::trial("every_hostile_program_is_run".into(), move || {
        every_file::compare(&folder, &registered, |path| tests_of(&folder, path))
            .unwrap_or_else(|error| panic!("{error}"));
        ().completion()
    }));
    trials.push(report::trial("every_hostile_program_exists_in_both_languages".into(), move || {
        assert_both_languages(&programs);
        ().completion()
    }));
    trials
}

/// `loops::plain::python::wasm`.
fn name(program: &Program, isolation: Isolation) -> String {
    format!("{}::{}::{isolation}", program.name.replace('/', "::"), program.language)
}

fn tests_of(folder: &Path, path: &Path) -> Result<Vec<String>, String> {
    let program = Program::read(folder, path)?;
    Ok(engines::ALL.into_iter().map(|isolation| name(&program, isolation)).collect())
}

/// The languages differ in what can be nested, so the families that nest have programs of their own in each.
fn assert_both_languages(programs: &[Arc<Program>]) {
    let [first, second] = guests::LANGUAGES.map(|language| {
        let of_both = programs.iter().filter(|program| program.setup == Setup::GuestContext);
        of_both.filter(|program| program.language == language).map(|program| &*program.name).collect::<BTreeSet<_>>()
    });
    let alone: Vec<_> = first.symmetric_difference(&second).collect();
    assert!(alone.is_empty(), "these exist in one language only: {alone:?}");
}

fn contain(case: &Case, program: &Program) {
    match program.setup {
        Setup::GuestContext => in_guest_context(case, program),
        Setup::DefaultLimits | Setup::GeneratedTypeScript => with_default_limits(case, program),
    }
}

fn in_guest_context(case: &Case, program: &Program) {
    let context = GuestContext::new(case);
    let sandbox = context.sandbox();
    context.assert_unchanged(sandbox);
    let before = ProcessState::now();
    let timeout = if program.expectation.may_time_out() {
        timeout_of_endless()
    } else {
        TIMEOUT * if engines::emulated() { 5 } else { 1 }
    };
    let ended = sandbox.run_with(&program.code, RunOptions::new().timeout(timeout));
    let result = ended.as_ref().unwrap_or_else(|error| error.partial().unwrap_or_else(|| panic!("{error}")));
    context.assert_within_limits(result);
    assert_expected(program, &ended);
    drop(ended);
    context.assert_unchanged(sandbox);
    context.assert_nothing_was_reached();
    assert_eq!(panics::of_the_host(), [""; 0]);
    before.assert_restored();
}

fn with_default_limits(case: &Case, program: &Program) {
    let slowness = if engines::emulated() { 5 } else { 1 };
    let timeout = if program.expectation.may_time_out() { TIMEOUT_OF_ENDLESS } else { TIMEOUT_OF_FINITE * slowness };
    let mut limits = Limits::default();
    limits.cpu_time = timeout;
    let sandbox = case.builder().limits(limits).build().unwrap();
    let options = RunOptions::new().timeout(timeout);
    let ended = match program.setup {
        Setup::GeneratedTypeScript => {
            sandbox.run_with(&generated(&sandbox, &program.code), options.filename("program.ts"))
        }
        _ => sandbox.run_with(&program.code, options),
    };
    assert_expected(program, &ended);
    assert_eq!(sandbox.run("1 + 1").unwrap().value, Some(json!(2)));
}

/// The program that is the value of a program.
fn generated(sandbox: &Sandbox, code: &str) -> String {
    match sandbox.run(code).unwrap().value {
        Some(Value::String(program)) => program,
        other => panic!("the value of the file has to be a program, and is {other:?}"),
    }
}

fn assert_expected(program: &Program, ended: &Ended) {
    let expectation = &program.expectation;
    assert!(expectation.is_met_by(ended), "expected: {expectation}, ended in {}", describe(ended));
}
