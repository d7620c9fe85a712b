//! A report of each test for programs that run tests: a line of JSON for each event, in the file that
//! `ISOLETTE_TEST_REPORT` names. Without it nothing is written.
//!
//! `ISOLETTE_TEST_CLAIMS` names a folder that several processes share, so that each test is run by one of them.

use std::{
    cell::RefCell,
    env, fs,
    fs::File,
    io::{ErrorKind, Write as _},
    path::Path,
    sync::{Mutex, OnceLock, PoisonError},
    time::Instant,
};

use libtest_mimic::{Completion, Failed, Trial};
use serde_json::{Value, json};

use crate::panics;

const REPORT: &str = "ISOLETTE_TEST_REPORT";
const CLAIMS: &str = "ISOLETTE_TEST_CLAIMS";

thread_local! {
    /// The test of this thread.
    static TEST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A test with a report. A panic is its failure.
pub fn trial(name: String, test: impl FnOnce() -> Completion + Send + 'static) -> Trial {
    let reported = name.clone();
    Trial::ignorable_test(name, move || {
        if !claimed(&reported) {
            return Ok(Completion::ignored_with("another process runs it"));
        }
        write(&json!({ "test": reported, "event": "started" }));
        let started = Instant::now();
        TEST.set(Some(reported.clone()));
        let outcome = panics::caught(test);
        TEST.set(None);
        let (event, reason) = classify(&outcome);
        let seconds = started.elapsed().as_secs_f64();
        write(&json!({ "test": reported, "event": event, "seconds": seconds, "reason": reason }));
        outcome
    })
}

/// Reports a measured value of the test of this thread, with the unit in its name. It does not affect the result.
///
/// # Panics
/// The thread is not that of a test.
pub fn measured(what: &str, value: f64) {
    let test = TEST.with_borrow(Option::clone).expect("figures are reported on the thread of their test");
    write(&json!({ "test": test, "event": "measured", "what": what, "value": value }));
}

/// Reports the progress of a long test, so that it can be distinguished from one that hangs.
///
/// # Panics
/// The thread is not that of a test.
pub fn progress(how_far: &str) {
    let test = TEST.with_borrow(Option::clone).expect("progress is reported on the thread of its test");
    write(&json!({ "test": test, "event": "progress", "reason": how_far }));
}

fn classify(outcome: &Result<Completion, Failed>) -> (&'static str, Option<&str>) {
    match outcome {
        Ok(Completion::Completed) => ("passed", None),
        Ok(Completion::Ignored { reason }) => ("ignored", reason.as_deref()),
        Err(failed) => ("failed", failed.message()),
    }
}

/// Whether this process runs the test.
fn claimed(name: &str) -> bool {
    let Some(folder) = env::var_os(CLAIMS) else { return true };
    // Creating a directory succeeds in one process only, on any file system.
    match fs::create_dir(Path::new(&folder).join(name)) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => false,
        Err(error) => panic!("tests cannot be claimed in {}: {error}", folder.display()),
    }
}

fn write(event: &Value) {
    static FILE: OnceLock<Option<Mutex<File>>> = OnceLock::new();
    let open = |path| {
        let file = File::options().create(true).append(true).open(&path);
        Mutex::new(file.unwrap_or_else(|error| panic!("{} cannot be written: {error}", Path::new(&path).display())))
    };
    let Some(file) = FILE.get_or_init(|| env::var_os(REPORT).map(open)) else { return };
    // In one write, so that a reader rarely sees an incomplete line.
    let line = format!("{event}\n");
    let written = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
    written.unwrap_or_else(|error| panic!("a test cannot be reported: {error}"));
}
