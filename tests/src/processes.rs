//! The processes that this one has started, as the system lists them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// The children of a process.
///
/// # Panics
/// If the system shows no processes.
#[must_use]
pub fn children(parent: u32) -> BTreeSet<u32> {
    let all = fs::read_dir("/proc").expect("/proc can be read").flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(|number| self::parent(*number) == Some(parent)).collect()
}

/// The number of processes that this one has started, with those that they have started.
#[must_use]
pub fn count() -> usize {
    let own = children(std::process::id());
    own.len() + own.iter().map(|number| children(*number).len()).sum::<usize>()
}

/// The guests that fork servers of this process have started.
#[must_use]
pub fn guests() -> BTreeSet<u32> {
    children(std::process::id()).into_iter().filter(|number| is_runtime(*number)).flat_map(children).collect()
}

/// The guest that used the most CPU time during some work, with the result of the work.
pub fn busiest_during<T>(work: impl FnOnce() -> T) -> (T, Option<u32>) {
    let before: BTreeMap<u32, u64> = guests().into_iter().map(|number| (number, cpu_time(number))).collect();
    let done = work();
    let used = |number: &u32| cpu_time(*number).saturating_sub(before.get(number).copied().unwrap_or(0));
    (done, guests().into_iter().max_by_key(used))
}

fn is_runtime(number: u32) -> bool {
    fs::read_link(format!("/proc/{number}/exe")).is_ok_and(|path| path.to_string_lossy().contains("isolette-runtime"))
}

fn parent(number: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    text.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn cpu_time(number: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{number}/schedstat")).unwrap_or_default();
    text.split_ascii_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0)
}
