//! Counts what micro-VMs have the processor and the kernel do. Counts are the same on every machine; times are not, least of all
//! those of an emulator. `bench/peer/counts.py` counts the same for another system.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use isolette::{Isolation, Sandbox};
use serde::Serialize;

use crate::work::{self, Guest, check};

/// Equal to the number of rounds for the other system.
const ROUNDS: u32 = 30;

const CALLS: u32 = 100;

/// Pause between runs. A model takes at least this long to respond.
const PAUSE: Duration = Duration::from_millis(100);

/// The folder in which `cargo xtask microvm bench --counts` has set up the counters of the kernel.
const EVENTS: &str = "/sys/kernel/tracing/events";

/// The exit of an AMD processor because of a page that the guest's second page table does not have.
const NESTED_FAULT: &str = "1024";

/// The counters at one moment.
struct Counters {
    exits: u64,
    nested_faults: u64,
    new_pages: u64,
    faults: u64,
}

/// Counts for one operation.
#[derive(Debug, Serialize)]
pub(crate) struct CountRow {
    what: String,
    operations: u32,
    /// Exits from a micro-VM, those for page faults included.
    exits: f64,
    nested_page_faults: f64,
    /// Pages that processes got because they wrote to memory: copies, or empty ones.
    new_pages: f64,
    /// Page faults of the process.
    page_faults: f64,
    /// Nanoseconds of the machine's clock. With a clock that counts instructions, these are instructions of the guest, of the
    /// process and of the kernel together.
    nanoseconds: f64,
}

/// Prints the rows of all guests as one JSON array.
pub(crate) fn print() -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for guest in &work::GUESTS {
        count(guest, &mut rows)?;
    }
    println!("{}", serde_json::to_string(&rows)?);
    Ok(())
}

fn count(guest: &Guest, rows: &mut Vec<CountRow>) -> anyhow::Result<()> {
    let name = |what: &str| format!("{}: {what}", guest.language);
    let sandbox = create(guest)?;
    // The first two load the image, and make the snapshots.
    for _ in 0..2 {
        check(sandbox.run(guest.print))?;
        check(create(guest)?.run(guest.print))?;
    }
    rows.push(CountRow::of(name("another sandbox and its first run"), 3, || check(create(guest)?.run(guest.print)))?);
    rows.push(CountRow::of(name("restore and run"), ROUNDS, || check(sandbox.run(guest.print)))?);
    let rested = (0..ROUNDS).map(|_| {
        thread::sleep(PAUSE);
        CountRow::of(name("restored and run, a moment after"), 1, || check(sandbox.run(guest.print)))
    });
    rows.push(CountRow::average(rested.collect::<anyhow::Result<_>>()?).context("no rounds")?);
    let mut session = sandbox.session()?;
    check(session.run(guest.print))?;
    let warm = CountRow::of(name("warm run"), ROUNDS, || check(session.run(guest.print)))?;
    let mut calls = Vec::new();
    for (what, code) in [("tool call", guest.hundred_tool_calls), ("clock read", guest.hundred_clock_reads)] {
        check(session.run(code))?;
        calls.push(CountRow::of(name(what), 5, || check(session.run(code)))?.above(&warm));
    }
    rows.push(warm);
    rows.extend(calls);
    Ok(())
}

fn create(guest: &Guest) -> anyhow::Result<Sandbox> {
    Ok(work::builder(guest, Isolation::MicroVm).build()?)
}

impl CountRow {
    /// Counts for each of some equal operations.
    fn of(what: String, operations: u32, mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<Self> {
        let before = Counters::read()?;
        let started = Instant::now();
        for _ in 0..operations {
            work()?;
        }
        let taken = started.elapsed();
        let after = Counters::read()?;
        #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
        let each = |count: fn(&Counters) -> u64| (count(&after) - count(&before)) as f64 / f64::from(operations);
        Ok(Self {
            what,
            operations,
            exits: each(|counters| counters.exits),
            nested_page_faults: each(|counters| counters.nested_faults),
            new_pages: each(|counters| counters.new_pages),
            page_faults: each(|counters| counters.faults),
            nanoseconds: taken.as_secs_f64() * 1e9 / f64::from(operations),
        })
    }

    /// The average of rows with the same number of operations.
    fn average(rows: Vec<Self>) -> Option<Self> {
        let count = u32::try_from(rows.len()).ok()?;
        let sum = rows.into_iter().reduce(|sum, row| Self {
            operations: sum.operations + row.operations,
            exits: sum.exits + row.exits,
            nested_page_faults: sum.nested_page_faults + row.nested_page_faults,
            new_pages: sum.new_pages + row.new_pages,
            page_faults: sum.page_faults + row.page_faults,
            nanoseconds: sum.nanoseconds + row.nanoseconds,
            what: sum.what,
        })?;
        let each = |whole: f64| whole / f64::from(count);
        Some(Self {
            exits: each(sum.exits),
            nested_page_faults: each(sum.nested_page_faults),
            new_pages: each(sum.new_pages),
            page_faults: each(sum.page_faults),
            nanoseconds: each(sum.nanoseconds),
            ..sum
        })
    }

    /// Returns the counts for each of the calls of a program, without those of a program that makes none.
    fn above(self, empty: &Self) -> Self {
        let each = |whole: f64, empty: f64| (whole - empty) / f64::from(CALLS);
        Self {
            what: self.what,
            operations: self.operations * CALLS,
            exits: each(self.exits, empty.exits),
            nested_page_faults: each(self.nested_page_faults, empty.nested_page_faults),
            new_pages: each(self.new_pages, empty.new_pages),
            page_faults: each(self.page_faults, empty.page_faults),
            nanoseconds: each(self.nanoseconds, empty.nanoseconds),
        }
    }
}

impl Counters {
    fn read() -> anyhow::Result<Self> {
        let read = |path: &str| fs::read_to_string(path).with_context(|| format!("cannot read {path}"));
        let histogram = |event: &str| read(&format!("{EVENTS}/{event}/hist"));
        let exits = histogram("kvm/kvm_exit")?;
        let status = read("/proc/self/stat")?;
        // The name of the program, in parentheses, may have spaces. The eighth field after it counts faults.
        let faults = status.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(7));
        Ok(Self {
            exits: total(&exits)?,
            nested_faults: of_key(&exits, NESTED_FAULT),
            new_pages: total(&histogram("isolette/new_page")?)?,
            faults: faults.and_then(|faults| faults.parse().ok()).context("/proc/self/stat has no page faults")?,
        })
    }
}

/// The number of events.
fn total(histogram: &str) -> anyhow::Result<u64> {
    let hits = histogram.lines().find_map(|line| line.trim().strip_prefix("Hits:"));
    hits.and_then(|hits| hits.trim().parse().ok()).with_context(|| format!("no total in {histogram:?}"))
}

/// The number of events with a key: a line is `{ exit_reason:       1024 } hitcount:         17`.
fn of_key(histogram: &str, key: &str) -> u64 {
    let line = histogram.lines().find(|line| {
        let found = line.split_once(':').and_then(|(_, rest)| rest.split_whitespace().next());
        line.trim_start().starts_with('{') && found == Some(key)
    });
    line.and_then(|line| line.rsplit(':').next()).and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HISTOGRAM: &str = "# event histogram\n#\n# trigger info: hist:keys=exit_reason\n#\n\n\
        { exit_reason:         78 } hitcount:         13\n{ exit_reason:       1024 } hitcount:         17\n\n\
        Totals:\n    Hits: 30\n    Entries: 2\n    Dropped: 0\n";

    #[test]
    fn histograms_are_read() {
        assert_eq!((total(HISTOGRAM).unwrap(), of_key(HISTOGRAM, NESTED_FAULT), of_key(HISTOGRAM, "7")), (30, 17, 0));
    }
}
