//! CPU time as the system shows it for threads and processes.

use std::time::Duration;

/// Returns the CPU time in a file `stat` of a thread or process.
pub(crate) fn ticks(text: &str) -> Option<Duration> {
    // The name before it may contain any character. Of the fields that follow, the 12th and 13th are the times
    // in user and system mode.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_ascii_whitespace().skip(11);
    let ticks: u64 = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    let second = rustix::param::clock_ticks_per_second().max(1);
    Some(Duration::from_millis(ticks.saturating_mul(1000) / second))
}
