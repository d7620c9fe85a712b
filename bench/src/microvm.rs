//! What micro-VMs cost, in the words in which `bench/peer` measures another system, so that the rows compare.

use std::{
    env,
    os::unix::process::ExitStatusExt as _,
    process::{Command, ExitCode},
    time::{Duration, Instant},
};

use isolette::{Isolation, Sandbox};

use crate::{
    memory,
    row::Row,
    spans::Spans,
    work::{self, Guest, check},
};

/// As many as the other system gets, which is slower.
const ROUNDS: usize = 30;

const CALLS: u32 = 100;

/// Whether this process has a cache of its own, which was empty when it started.
const MARK: &str = "ISOLETTE_BENCH_CACHE_IS_EMPTY";

/// Starts this program again with an empty cache, unless that has been done.
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
    anyhow::ensure!(status.signal().is_none(), "the measuring process was ended: {status}");
    Ok(Some(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE }))
}

pub(crate) fn measure(guest: &Guest, spans: &Spans) -> anyhow::Result<Vec<Row>> {
    let name = |what: &str| format!("{}: {what}", guest.language);
    let mut rows = Vec::new();
    let mut note = |what: &str, samples: &[Duration]| rows.push(Row::milliseconds(name(what), samples));

    spans.clear();
    note("cold: new sandbox and first run", &[timed(|| check(create(guest)?.run(guest.print)))?]);
    for span in ["digest", "load", "snapshot", "rehearse", "keep"] {
        note(&format!("— of that: {span}"), &spans.take(span));
    }
    let from_disk = (0..10).map(|_| timed(|| check(create(guest)?.run(guest.print)))).collect::<Result<Vec<_>, _>>()?;
    note("from disk: new sandbox and first run", &from_disk);
    for span in ["map", "start"] {
        note(&format!("— of that: {span}"), &spans.take(span));
    }

    let sandbox = create(guest)?;
    check(sandbox.run(guest.print))?;
    spans.clear();
    std::thread::sleep(Duration::from_millis(100));
    let rested = (0..10)
        .map(|_| {
            let took = timed(|| check(sandbox.run(guest.print)));
            // As long as a model thinks, at least.
            std::thread::sleep(Duration::from_millis(100));
            took
        })
        .collect::<Result<Vec<_>, _>>()?;
    note("restored and run, a moment after the run before", &rested);
    let started = Instant::now();
    let mut seen = Vec::new();
    for _ in 0..ROUNDS {
        seen.push(timed(|| check(sandbox.run(guest.print)))?);
    }
    note("restore and run, as the caller sees it", &seen);
    note("restore and run, average with everything", &[started.elapsed() / ROUNDS as u32]);
    for span in ["start", "restore", "touch"] {
        note(&format!("— of that: {span}"), &spans.take(span));
    }

    let mut session = sandbox.session()?;
    check(session.run(guest.print))?;
    let warm = (0..ROUNDS).map(|_| timed(|| check(session.run(guest.print)))).collect::<Result<Vec<_>, _>>()?;
    note("warm run", &warm);
    let calls = work::repeat(5, || check(session.run(guest.hundred_tool_calls)))?;
    let empty = warm.iter().min().copied().unwrap_or_default();
    let calls: Vec<_> = calls.iter().map(|time| time.saturating_sub(empty)).collect();
    rows.push(Row::microseconds_each(name("tool call"), CALLS, &calls));
    rows.push(memory::per_instance(guest, Isolation::MicroVm, 20)?);
    Ok(rows)
}

fn create(guest: &Guest) -> anyhow::Result<Sandbox> {
    Ok(work::builder(guest, Isolation::MicroVm).build()?)
}

fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}
