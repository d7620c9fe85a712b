//! Measures the command line tool as a process, from its start to its end.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use isolette::{Image, Isolation, Language};

use crate::row::Row;

const SAMPLES: usize = 50;

/// The arguments of each program: the plain images, and the one with packages for data analysis.
const PROGRAMS: [&[&str]; 3] = [
    &["--lang", "python", "-c", "print(1)"],
    &["--image", "python-science", "-c", "print(1)"],
    &["--lang", "javascript", "-c", "console.log(1)"],
];

/// Runs the programs by turns. Each was run before, so that later processes find all of it in the user's cache. An image that has
/// not been built is left out.
pub(crate) fn measure(isolation: Isolation) -> Result<Vec<Row>> {
    let tool = env::current_exe()?.with_file_name("isolette");
    ensure!(tool.is_file(), "{} does not exist\nhint: use `cargo xtask bench`, which builds it", tool.display());
    let science = Image::find(Language::Python)?.directory().with_file_name("python-science");
    let programs = PROGRAMS.into_iter().filter(|program| !program.contains(&"python-science") || science.exists());
    let mut rows: Vec<_> = programs.map(|program| (program, Vec::new())).collect();
    for turn in 0..=SAMPLES {
        for (program, samples) in &mut rows {
            let time = once(&tool, isolation, program)?;
            if turn > 0 {
                samples.push(time);
            }
        }
    }
    let row = |(program, samples): (&[&str], Vec<Duration>)| {
        Row::milliseconds(format!("`isolette run {}`, as a process", program.join(" ")), &samples)
    };
    Ok(rows.into_iter().map(row).collect())
}

fn once(tool: &Path, isolation: Isolation, program: &[&str]) -> Result<Duration> {
    let started = Instant::now();
    let mut command = Command::new(tool);
    command.args(["run", "--isolation", &isolation.to_string()]).args(program).stdout(Stdio::null());
    let status = command.status().with_context(|| format!("cannot start {}", tool.display()))?;
    ensure!(status.success(), "`isolette run {}` failed", program.join(" "));
    Ok(started.elapsed())
}
