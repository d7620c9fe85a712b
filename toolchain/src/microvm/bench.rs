//! Measures micro-VMs and another system that runs programs in micro-VMs, on the same machine.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::{
    harness::{Harness, Job},
    machine::{Console, Ending},
    results, test,
};
use crate::{
    bench,
    environments::{self, PythonEnvironment},
    invocation::Invocation,
    lock, progress,
    project::Project,
};

/// The pinned packages of the other system.
const PINS: &str = "bench/peer/requirements.txt";

/// The benchmark of the other system.
const PEER: &str = "bench/peer/measure.py";

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Print one JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Do not measure the other system, hyperlight-sandbox
    #[arg(long)]
    alone: bool,
}

impl Bench {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        let mut lines = vec![format!("{} --microvm --json", super::quote(bench::build(project)?.as_os_str()))];
        if !self.alone {
            let (python, program) = (peer(project)?, project.path(PEER));
            lines.push(super::words([python.as_os_str(), program.as_os_str()]).join(" "));
        }
        let outputs = match test::missing(project) {
            None => here(project, &lines)?,
            Some(reason) => {
                progress::note(&format!("this machine cannot run micro-VMs: {reason}"));
                emulated(project, &lines)?
            }
        };
        let mut rows = Vec::new();
        for output in outputs {
            let text = fs::read(&output).with_context(|| format!("cannot read {}", output.display()))?;
            let more: Vec<Value> = serde_json::from_slice(&text)
                .with_context(|| format!("{} is not the output of a benchmark", output.display()))?;
            rows.extend(more);
        }
        print(&rows, self.json);
        Ok(())
    }
}

/// Installs the other system and returns its Python.
fn peer(project: &Project) -> Result<PathBuf> {
    let _lock = lock::acquire(project)?;
    let folder = project.microvm().join("peer");
    let python = folder.join("bin/python3");
    let environment = PythonEnvironment {
        what: "hyperlight-sandbox",
        step: "microvm-peer",
        folder,
        pins: PINS,
        output: python.clone(),
    };
    environments::python(project, &environment).context("`--alone` measures without the other system")?;
    Ok(python)
}

fn output(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("rows-{number}.json"))
}

fn here(project: &Project, lines: &[String]) -> Result<Vec<PathBuf>> {
    let folder = results::empty(project)?;
    let measure = |(number, line): (usize, &String)| {
        let output = output(&folder, number);
        let line = format!("{line} >{}", super::quote(output.as_os_str()));
        Invocation::new("measure", "sh").args(["-c", &line]).directory(project.root()).show()?;
        Ok(output)
    };
    lines.iter().enumerate().map(measure).collect()
}

fn emulated(project: &Project, lines: &[String]) -> Result<Vec<PathBuf>> {
    let harness = Harness::prepare(project)?;
    let mut script = format!("set -e\nexport HOME=/root\ncd {}\n", super::quote(project.root().as_os_str()));
    for (number, line) in lines.iter().enumerate() {
        script += &format!("{line} >{}\n", output(Path::new("/results"), number).display());
    }
    progress::note("measuring in a machine with emulated virtualisation, where all times are several times longer");
    let job = Job { name: "bench", script: &script, console: Console::Kept };
    let mut machine = harness.boot(&job)?;
    let ending = super::wait(&mut machine)?;
    ensure!(ending == Ending::Done(0), "the benchmark failed ({ending:?}); see {}", machine.folder().display());
    Ok((0..lines.len()).map(|number| output(harness.results(), number)).collect())
}

fn print(rows: &[Value], json: bool) {
    if json {
        println!("{}", json!(rows));
        return;
    }
    println!("| what | unit | minimum | median | maximum | samples |");
    println!("|---|---|---:|---:|---:|---:|");
    for row in rows {
        let figure = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        println!(
            "| {} | {} | {:.3} | {:.3} | {:.3} | {} |",
            row["what"].as_str().unwrap_or_default(),
            row["unit"].as_str().unwrap_or_default(),
            figure("minimum"),
            figure("median"),
            figure("maximum"),
            row["samples"]
        );
    }
}
