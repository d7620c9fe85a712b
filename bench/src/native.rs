//! What a process of the language's usual interpreter costs, for comparison.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::row::Row;

const SAMPLES: usize = 20;

/// Each interpreter with the program that makes it tell where it is: what is on the path may be a script in front of it.
const INTERPRETERS: [(&str, &[&str], &[&str]); 2] = [
    ("python3", &["-c", "import sys; print(sys.executable)"], &["-I", "-c", "print(1)"]),
    ("node", &["-p", "process.execPath"], &["-e", "console.log(1)"]),
];

/// Leaves out what is not installed.
pub(crate) fn measure() -> Vec<Row> {
    INTERPRETERS
        .into_iter()
        .filter_map(|(name, where_it_is, arguments)| {
            let told = Command::new(name).args(where_it_is).output().ok()?;
            let program = String::from_utf8(told.stdout).ok()?;
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
