//! Measures micro-VMs and another system that runs programs in micro-VMs, on the same machine.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use serde_json::{Value, json};

use super::{
    harness::{Clock, Harness, Job},
    machine::{Console, Ending},
    results, test,
};
use crate::{
    bench,
    environments::{self, PythonEnvironment},
    image::{self, Selection},
    invocation::Invocation,
    lock, progress,
    project::Project,
    tools, wheel,
};

/// The pinned packages of the other system.
const PINS: &str = "bench/peer/requirements.txt";

/// The benchmark of the other system, and what counts for it.
const PEER: &str = "bench/peer/measure.py";
const PEER_COUNTS: &str = "bench/peer/counts.py";

/// Sets up counters of the kernel: exits of micro-VMs by reason, and pages that processes get because they write to memory: copies,
/// or empty ones.
const COUNTERS: &str = "\
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
echo 'hist:keys=exit_reason' >/sys/kernel/tracing/events/kvm/kvm_exit/trigger
echo 'p:isolette/new_page vma_alloc_folio' >/sys/kernel/tracing/kprobe_events
echo 'hist:keys=common_pid' >/sys/kernel/tracing/events/isolette/new_page/trigger
";

#[derive(Debug, Args)]
pub(crate) struct Bench {
    /// Print one JSON array instead of a table
    #[arg(long)]
    json: bool,
    /// Do not measure the other system, hyperlight-sandbox
    #[arg(long)]
    alone: bool,
    /// Count exits, page faults, new pages and instructions instead of measuring time. Only in an emulated machine
    #[arg(long)]
    counts: bool,
    /// Measure the Python package beside others in micro-VMs, instead of the crate. Prints JSON
    #[arg(long, conflicts_with_all = ["json", "alone", "counts"])]
    package: bool,
}

impl Bench {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        if self.package {
            return package(project);
        }
        let flags = if self.counts { "--counts" } else { "--microvm --json" };
        let mut lines = vec![format!("{} {flags}", super::quote(bench::build(project)?.as_os_str()))];
        if !self.alone {
            let program = project.path(if self.counts { PEER_COUNTS } else { PEER });
            let python = peer(project)?;
            lines.push(super::words([python.as_os_str(), program.as_os_str()]).join(" "));
        }
        let outputs = match test::missing(project) {
            _ if self.counts => emulated(project, &lines, Clock::Instructions)?,
            None => here(project, &lines)?,
            Some(reason) => {
                progress::note(&format!("this machine cannot run micro-VMs: {reason}"));
                emulated(project, &lines, Clock::Time)?
            }
        };
        let mut rows = Vec::new();
        for output in outputs {
            let text = fs::read(&output).with_context(|| format!("cannot read {}", output.display()))?;
            let more: Vec<Value> = serde_json::from_slice(&text)
                .with_context(|| format!("{} is not the output of a benchmark", output.display()))?;
            rows.extend(more);
        }
        match (self.json, self.counts) {
            (true, _) => println!("{}", json!(rows)),
            (false, true) => print_counts(&rows),
            (false, false) => print(&rows),
        }
        Ok(())
    }
}

/// Measures the Python package. An emulated machine is too slow for all rounds.
fn package(project: &Project) -> Result<()> {
    image::ensure(project, Selection::All)?;
    let python = wheel::beside_others(project, &wheel::ensure(project, wheel::Profile::Release)?)?;
    let line = super::words([python.as_os_str(), project.path(wheel::MEASURE).as_os_str()]).join(" ");
    let outputs = match test::missing(project) {
        None => here(project, &[line])?,
        Some(_) => emulated(project, &[format!("{line} --quick")], Clock::Time)?,
    };
    for output in outputs {
        print!("{}", fs::read_to_string(&output).with_context(|| format!("cannot read {}", output.display()))?);
    }
    Ok(())
}

/// Installs the other system and returns its Python.
fn peer(project: &Project) -> Result<PathBuf> {
    let _lock = lock::acquire(project)?;
    let folder = project.microvm().join("peer");
    let python = folder.join("bin/python3");
    let environment = PythonEnvironment {
        what: "hyperlight-sandbox",
        step: "microvm-peer",
        interpreter: tools::python3()?,
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

fn emulated(project: &Project, lines: &[String], clock: Clock) -> Result<Vec<PathBuf>> {
    let harness = Harness::prepare(project)?;
    let counters = if clock == Clock::Instructions { COUNTERS } else { "" };
    let root = super::quote(project.root().as_os_str());
    let mut script = format!("set -e\nexport HOME=/root\ncd {root}\n{counters}");
    for (number, line) in lines.iter().enumerate() {
        script += &format!("{line} >{}\n", output(Path::new("/results"), number).display());
    }
    progress::note("measuring in a machine with emulated virtualisation, where all times are several times longer");
    let job = Job { name: "bench", script: &script, console: Console::Kept, clock };
    let mut machine = harness.boot(&job)?;
    let ending = super::wait(&mut machine)?;
    ensure!(ending == Ending::Done(0), "the benchmark failed ({ending:?}); see {}", machine.folder().display());
    Ok((0..lines.len()).map(|number| output(harness.results(), number)).collect())
}

fn print_counts(rows: &[Value]) {
    println!(
        "| what | exits | of them nested page faults | new pages | page faults of the process | 1,000 instructions |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for row in rows {
        let figure = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        println!(
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} | {:.1} |",
            row["what"].as_str().unwrap_or_default(),
            figure("exits"),
            figure("nested_page_faults"),
            figure("new_pages"),
            figure("page_faults"),
            figure("nanoseconds") / 1e3
        );
    }
}

fn print(rows: &[Value]) {
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
