//! What a program did, as text, and the steps of the clock in such a text.

use std::fmt::Write as _;

use isolette::{CallRecord, Error, ExecutionResult};

use super::clock::{Clock, Step};

/// `after 3 calls: 50 ms, 90 ms`, in every line of the part `clock:`.
pub(super) fn steps(expected: &str) -> Vec<Step> {
    let lines = expected.lines().skip_while(|line| *line != "clock:").skip(1);
    let step = |line: &str| {
        let (calls, times) = line.trim().strip_prefix("after ")?.split_once(" calls: ")?;
        let times = times.split(", ").map(|time| time.strip_suffix(" ms")?.parse().ok());
        Some(Step { calls: calls.parse().ok()?, times: times.collect::<Option<_>>()? })
    };
    lines
        .take_while(|line| line.starts_with(' '))
        .map(|line| step(line).unwrap_or_else(|| panic!("no step of the clock: `{line}`")))
        .collect()
}

/// The text for a run.
pub(super) fn observed(ended: Result<ExecutionResult, Error>, clock: &Clock) -> String {
    let mut text = String::new();
    let result = ended.unwrap_or_else(|error| {
        let _ = writeln!(text, "ended: {error}");
        error.partial().cloned().unwrap_or_else(|| panic!("{error}"))
    });
    if let Some(value) = &result.value {
        let _ = writeln!(text, "value: {value}");
    }
    if let Some(error) = &result.error {
        let _ = writeln!(text, "error: {}: {}", error.kind, error.message.lines().next().unwrap_or_default());
    }
    for (name, output) in [("output", &result.stdout), ("errors", &result.stderr)] {
        if !output.is_empty() {
            let _ = writeln!(text, "{name}:");
            for line in output.lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    text.push_str("calls:\n");
    calls(&mut text, &result.calls);
    // A call that is given up ends at some time after that.
    if !result.calls.iter().any(|call| matches!(call.outcome.as_str(), "cancelled" | "unfinished")) {
        let _ = writeln!(text, "at the same time: {}", clock.most_open());
    }
    let (elapsed, steps) = clock.taken();
    text.push_str("clock:\n");
    for Step { calls, times } in steps {
        let times: Vec<_> = times.iter().map(|time| format!("{time} ms")).collect();
        let _ = writeln!(text, "  after {calls} calls: {}", times.join(", "));
    }
    let _ = writeln!(text, "elapsed: {elapsed} ms");
    text
}

/// Calls in the order in which the program made them: `inventory.get ok × 3`.
fn calls(text: &mut String, calls: &[CallRecord]) {
    let mut calls: Vec<_> = calls.iter().collect();
    calls.sort_by(|one, other| one.started_ms.total_cmp(&other.started_ms));
    let same = |one: &&CallRecord, other: &&CallRecord| one.target == other.target && one.outcome == other.outcome;
    for equal in calls.chunk_by(same) {
        let _ = write!(text, "  {} {}", equal[0].target, equal[0].outcome.as_str());
        text.push_str(&if equal.len() > 1 { format!(" × {}\n", equal.len()) } else { "\n".into() });
    }
}
