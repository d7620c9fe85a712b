//! Measures the memory of one more live instance.

use std::{fs, thread, time::Duration};

use anyhow::Context as _;
use isolette::{Isolation, Sandbox};

use crate::{row::Row, work::Guest};

/// Readings of the size at most, and the time between them.
const READINGS: u32 = 50;
const BETWEEN_READINGS: Duration = Duration::from_millis(40);

/// Returns the increase of the proportional set size for each instance, which counts shared pages once.
pub(crate) fn per_instance(guest: &Guest, isolation: Isolation, instances: u32) -> anyhow::Result<Row> {
    let sandbox = Sandbox::builder().language(guest.language).isolation(isolation).build()?;
    let mut sessions = vec![sandbox.session()?];
    sessions[0].run(guest.print)?;
    let before = settled_size()?;
    for _ in 0..instances {
        let mut session = sandbox.session()?;
        session.run(guest.print)?;
        sessions.push(session);
    }
    let after = settled_size()?;
    let each = (after.saturating_sub(before)) as f64 / 1024.0 / f64::from(instances);
    Ok(Row::new(format!("{}: memory of one more live instance (PSS)", guest.language), "MiB", vec![each]))
}

/// Returns the size once it no longer changes: guests are prepared for the next ones in the background.
fn settled_size() -> anyhow::Result<u64> {
    let mut size = proportional_set_size()?;
    for _ in 0..READINGS {
        thread::sleep(BETWEEN_READINGS);
        let last = std::mem::replace(&mut size, proportional_set_size()?);
        if last == size {
            break;
        }
    }
    Ok(size)
}

/// Returns the proportional set size in KiB of this process and all that it has started. Guests and threads that end meanwhile do
/// not count.
pub(crate) fn proportional_set_size() -> anyhow::Result<u64> {
    let mut waiting = vec![std::process::id()];
    let mut sum = 0;
    while let Some(process) = waiting.pop() {
        let Ok(text) = fs::read_to_string(format!("/proc/{process}/smaps_rollup")) else { continue };
        let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("the kernel reports no PSS")?;
        sum += line.trim().trim_end_matches(" kB").parse::<u64>()?;
        for task in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            waiting.extend(children.split_ascii_whitespace().filter_map(|number| number.parse::<u32>().ok()));
        }
    }
    Ok(sum)
}
