//! Leaks of many guests or many runs in a process. Tests run one after another, so that each measures its own.

mod chains;
mod folders;
mod killed_guests;
mod load;
mod mapped_pages;
mod process;
mod sessions;
mod states;

use std::{
    env,
    os::unix::process::CommandExt as _,
    process::{Command, ExitCode},
};

use isolette::{Isolation, Session};
use isolette_tests::{
    Case,
    libtest_mimic::{self, Arguments},
    panics, report, scenario,
};
use serde_json::json;

use self::process::{ProcessState, private_memory};

const GUESTS: usize = 50;

const RUNS: usize = 2000;

/// Runs after which everything has its final size: pools, caches, and memory that the allocator keeps.
const WARM: usize = 500;

/// Runs in which the minimum is measured: a guest that is about to end may exist in addition to the next one.
const WINDOW: usize = 100;

const WARMED: usize = WARM + WINDOW;
const COOLING: usize = RUNS - WINDOW;

/// The allowed growth of the process from then on. A page that each run leaks would exceed it.
const GROWTH: u64 = 4 << 20;

/// The memory of a micro-VM that was started in addition, because none was ready yet.
const MEMORY_OF_MICRO_VM: u64 = 8 << 20;

/// How many heaps the allocator has, a setting of glibc. By default it gives threads heaps of their own and keeps what was freed in
/// those of threads that have ended, so that memory grows with the number of threads that there ever were.
const HEAPS: (&str, &str) = ("MALLOC_ARENA_MAX", "1");

fn main() -> ExitCode {
    let (name, value) = HEAPS;
    if env::var_os(name).is_none() {
        // The allocator reads it when a program starts.
        let program = env::current_exe().unwrap();
        panic!("{}", Command::new(program).args(env::args_os().skip(1)).env(name, value).exec());
    }
    let mut arguments = Arguments::from_args();
    let _folders = folders::enter();
    panics::install();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, isolette_tests::trials()).exit_code()
}

/// All are alive, each has a state of its own, and the shared memory exists once.
#[scenario]
fn fifty_guests_keep_their_own_state(case: &Case) {
    let sandbox = case.sandbox();
    let mut sessions: Vec<Session> = Vec::new();
    let mut before = 0;
    for number in 0..GUESTS {
        let mut session = sandbox.session().unwrap();
        session.run(&case.pick(format!("n = {number}"), format!("var n = {number}"))).unwrap();
        sessions.push(session);
        if number == 0 {
            before = private_memory();
        }
    }
    let each = private_memory().saturating_sub(before) / (GUESTS as u64 - 1);
    report::measured(
        &format!("private memory of a live {} guest in {} (MiB)", case.language, case.isolation),
        mib(each),
    );
    for (number, session) in sessions.iter_mut().enumerate() {
        assert_eq!(session.run("n * 2").unwrap().value, Some(json!(number * 2)));
    }
}

#[scenario]
fn two_thousand_runs_leak_nothing(case: &Case) {
    let sandbox = case.sandbox();
    let (mut before, mut after) = (ProcessState::MOST, ProcessState::MOST);
    for run in 0..RUNS {
        // The output of the previous run was removed.
        let code = case.pick(
            "seen = 'x' in globals()\nx = list(range(1000))\nresult = [seen, len(x)]",
            "const seen = 'x' in globalThis; globalThis.x = Array(1000).fill(0); result = [seen, x.length]",
        );
        assert_eq!(sandbox.run(code).unwrap().value, Some(json!([false, 1000])));
        match run {
            WARM..WARMED => before = before.least(ProcessState::now()),
            COOLING.. => after = after.least(ProcessState::now()),
            _ if run % 250 == 0 => report::progress(&format!("{run} of {RUNS} runs")),
            _ => {}
        }
    }
    let growth = after.memory.saturating_sub(before.memory);
    report::measured(&format!("growth in {} runs (MiB)", RUNS - WARM), mib(growth));
    // The number of processes that are ready for the next run varies, and each has two files here.
    let ready = if case.isolation == Isolation::Process { 2 } else { 0 };
    assert!(after.files <= before.files + 2 * ready, "open files: {before:?}, {after:?}");
    assert!(after.processes <= before.processes + ready, "processes: {before:?}, {after:?}");
    let allowed = GROWTH + if case.isolation == Isolation::MicroVm { MEMORY_OF_MICRO_VM } else { 0 };
    assert!(growth <= allowed, "{} MiB more after {} runs: {before:?}, {after:?}", mib(growth), RUNS - WARM);
}

#[expect(clippy::cast_precision_loss, reason = "a figure for people")]
fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
