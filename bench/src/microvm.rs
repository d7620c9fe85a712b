//! Measures micro-VMs with the same rows as `bench/peer`, which measures another system.

use std::{
    env,
    os::unix::process::ExitStatusExt as _,
    process::{Command, ExitCode},
    thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use isolette::{Isolation, Sandbox};

use crate::{
    memory,
    row::Row,
    spans::Spans,
    work::{self, Guest, check},
};

/// Equal to the number of rounds for the other system.
const ROUNDS: usize = 30;

const CALLS: u32 = 100;

/// Processes that start from the snapshot on disk.
const STARTS: usize = 7;

/// Pause between runs. A model takes at least this long to respond.
const PAUSE: Duration = Duration::from_millis(100);

/// The environment variable that states that this process started with an empty cache.
const MARK: &str = "ISOLETTE_BENCH_CACHE_IS_EMPTY";

/// Runs this program again with an empty cache, unless this process has one.
pub(crate) fn with_empty_cache() -> anyhow::Result<Option<ExitCode>> {
    if env::var_os(MARK).is_some() {
        return Ok(None);
    }
    let cache = tempfile::tempdir()?;
    let status = Command::new(env::current_exe()?)
        .args(env::args_os().skip(1))
        .env("XDG_CACHE_HOME", cache.path())
        .env(MARK, "1")
        .status()?;
    anyhow::ensure!(status.signal().is_none(), "a signal ended the measuring process: {status}");
    Ok(Some(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }))
}

pub(crate) fn measure(guest: &Guest, spans: &Spans) -> anyhow::Result<Vec<Row>> {
    let name = |what: &str| format!("{}: {what}", guest.language);
    let mut rows = Vec::new();
    let mut note = |what: &str, samples: &[Duration]| {
        if !samples.is_empty() {
            rows.push(Row::milliseconds(name(what), samples));
        }
    };

    spans.clear();
    note("cold: new sandbox and first run", &[timed(|| check(create(guest)?.run(guest.print)))?]);
    for span in ["digest", "load", "snapshot", "warm_up", "save"] {
        note(&format!("— of that: {span}"), &spans.take(span));
    }
    // Separate processes, because this process has the snapshot in memory.
    let from_disk = (0..STARTS).map(|_| in_new_process(guest)).collect::<Result<Vec<_>, _>>()?;
    note("from disk: new sandbox and first run", &from_disk);

    let sandbox = create(guest)?;
    check(sandbox.run(guest.print))?;
    spans.clear();
    let rested = (0..ROUNDS).map(|_| {
        thread::sleep(PAUSE);
        timed(|| check(sandbox.run(guest.print)))
    });
    note("restored and run, a moment after the run before", &rested.collect::<Result<Vec<_>, _>>()?);
    let started = Instant::now();
    let mut seen = Vec::new();
    for _ in 0..ROUNDS {
        seen.push(timed(|| check(sandbox.run(guest.print)))?);
    }
    note("restore and run, one after the other", &seen);
    note("restore and run, one after the other, average", &[started.elapsed() / ROUNDS as u32]);
    for span in ["start", "restore", "prefault"] {
        note(&format!("— of that: {span}"), &spans.take(span));
    }

    let mut session = sandbox.session()?;
    check(session.run(guest.print))?;
    let warm = (0..ROUNDS).map(|_| timed(|| check(session.run(guest.print)))).collect::<Result<Vec<_>, _>>()?;
    note("warm run", &warm);
    let empty = warm.iter().min().copied().unwrap_or_default();
    for (what, code) in [
        ("clock read, the least of all host calls", guest.hundred_clock_reads),
        ("tool call", guest.hundred_tool_calls),
    ] {
        let calls = work::repeat(5, || check(session.run(code)))?;
        let calls: Vec<_> = calls.iter().map(|time| time.saturating_sub(empty)).collect();
        rows.push(Row::microseconds_each(name(what), CALLS, &calls));
    }
    rows.push(memory::per_instance(guest, Isolation::MicroVm, 20)?);
    Ok(rows)
}

fn in_new_process(guest: &Guest) -> anyhow::Result<Duration> {
    let output = Command::new(env::current_exe()?).args(["--first-run", guest.language.name()]).output()?;
    let text = String::from_utf8(output.stdout)?;
    let seconds: f64 = text.trim().parse().with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Prints the time of the first run of this process in seconds.
pub(crate) fn first_run(language: &str) -> anyhow::Result<()> {
    let guest = work::GUESTS.iter().find(|guest| guest.language.name() == language).context("unknown language")?;
    let took = timed(|| check(create(guest)?.run(guest.print)))?;
    println!("{}", took.as_secs_f64());
    Ok(())
}

fn create(guest: &Guest) -> anyhow::Result<Sandbox> {
    Ok(work::builder(guest, Isolation::MicroVm).build()?)
}

fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}
