//! The command line tool: its output and exit codes.

use std::{
    io::Write as _,
    path::Path,
    process::{Output, Stdio},
};

use isolette_tests::{Case, isolette};

mod bad_input;
mod capability_new;
mod help_and_explain;
mod interruption;
mod pauses;
mod run_command;
mod states;
mod warm_images;

/// Runs the program with these arguments and empty standard input.
fn run<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Output {
    isolette().args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Runs the program with these arguments and standard input.
fn run_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child =
        isolette().args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may have rejected its arguments before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}{}", stdout(output), stderr(output)))
}

fn path(path: &Path) -> &str {
    path.to_str().expect("temporary folders have UTF-8 names")
}

/// A user of the command line, whose key and files are in a folder.
struct User<'a> {
    case: &'a Case,
    folder: &'a Path,
}

impl User<'_> {
    /// Runs a command with the isolation of the case.
    fn command(&self, arguments: &[&str]) -> Output {
        let isolation = self.case.isolation.to_string();
        isolette()
            .args(arguments)
            .args(["--isolation", &isolation, "--timeout", "5m"])
            .env("XDG_STATE_HOME", self.folder)
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}
