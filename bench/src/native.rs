//! What a process of the language's usual interpreter costs, for comparison.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::row::Row;

const SAMPLES: usize = 20;

/// Leaves out what is not installed.
pub(crate) fn measure() -> Vec<Row> {
    let commands = [
        ("python3 -I -c 'print(1)'", "python3", ["-I", "-c", "print(1)"].as_slice()),
        ("node -e 'console.log(1)'", "node", ["-e", "console.log(1)"].as_slice()),
    ];
    commands
        .into_iter()
        .filter_map(|(what, program, arguments)| {
            let samples: Option<Vec<_>> = (0..SAMPLES).map(|_| once(program, arguments)).collect();
            Some(Row::milliseconds(format!("native: {what}, as a process"), &samples?))
        })
        .collect()
}

fn once(program: &str, arguments: &[&str]) -> Option<Duration> {
    let started = Instant::now();
    let status = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    status.success().then(|| started.elapsed())
}
