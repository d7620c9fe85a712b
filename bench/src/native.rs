//! Measures a process of the usual interpreter of each language, for comparison.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::row::Row;

const SAMPLES: usize = 20;

/// Each interpreter, the arguments that make it print its own path, and the program. The path in `PATH` may be a wrapper
/// script.
const INTERPRETERS: [(&str, &[&str], &[&str]); 2] = [
    ("python3", &["-c", "import sys; print(sys.executable)"], &["-I", "-c", "print(1)"]),
    ("node", &["-p", "process.execPath"], &["-e", "console.log(1)"]),
];

/// Skips interpreters that are not installed.
pub(crate) fn measure() -> Vec<Row> {
    INTERPRETERS
        .into_iter()
        .filter_map(|(name, path_arguments, arguments)| {
            let output = Command::new(name).args(path_arguments).output().ok()?;
            let program = String::from_utf8(output.stdout).ok()?;
            let samples: Option<Vec<_>> = (0..SAMPLES).map(|_| once(program.trim(), arguments)).collect();
            Some(Row::milliseconds(format!("native: `{name} {}`, as a process", arguments.join(" ")), &samples?))
        })
        .collect()
}

fn once(program: &str, arguments: &[&str]) -> Option<Duration> {
    let started = Instant::now();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    status.success().then(|| started.elapsed())
}
