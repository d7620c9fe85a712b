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
    started_by(std::process::id())
}

/// The number of processes that another one has started, with those that they have started.
#[must_use]
pub fn started_by(parent: u32) -> usize {
    let own = children(parent);
    own.len() + own.iter().map(|number| children(*number).len()).sum::<usize>()
}

/// The guests that fork servers of this process have started.
#[must_use]
pub fn guests() -> BTreeSet<u32> {
    children(std::process::id()).into_iter().filter(|number| is_runtime(*number)).flat_map(children).collect()
}

/// The memory of this process and of all that it has started, in KiB; what several share counts once (PSS).
///
/// # Panics
/// If the system does not show it.
#[must_use]
pub fn memory() -> u64 {
    memory_of(&["Pss:"])
}

/// As [`memory`], without pages of files: how many of those count for a process depends on which others map the same image, such
/// as another test program that begins or ends meanwhile.
///
/// # Panics
/// If the system does not show it.
#[must_use]
pub fn memory_without_files() -> u64 {
    memory_of(&["Pss_Anon:", "Pss_Shmem:"])
}

fn memory_of(kinds: &[&str]) -> u64 {
    let own = children(std::process::id());
    let all = own.iter().flat_map(|number| children(*number)).chain(own.iter().copied()).chain([std::process::id()]);
    let of_line = |line: &str| -> Option<u64> {
        let figure = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        figure.split_ascii_whitespace().next()?.parse().ok()
    };
    let of_one = |number: u32| -> u64 {
        // One that has ended meanwhile has none.
        let text = fs::read_to_string(format!("/proc/{number}/smaps_rollup")).unwrap_or_default();
        text.lines().filter_map(of_line).sum()
    };
    let memory = all.map(of_one).sum();
    assert!(memory > 0, "the system shows no memory");
    memory
}

/// The guest that used the most CPU time during some work, with the result of the work.
pub fn busiest_during<T>(work: impl FnOnce() -> T) -> (T, Option<u32>) {
    let before: BTreeMap<u32, u64> = guests().into_iter().map(|number| (number, cpu_time(number))).collect();
    let done = work();
    let used = |number: &u32| cpu_time(*number).saturating_sub(before.get(number).copied().unwrap_or(0));
    (done, guests().into_iter().max_by_key(used))
}

/// Whether a process has been stopped, so that it does nothing until it is continued.
#[must_use]
pub fn is_stopped(number: u32) -> bool {
    after_name(number).is_some_and(|fields| fields.starts_with('T'))
}

fn is_runtime(number: u32) -> bool {
    fs::read_link(format!("/proc/{number}/exe")).is_ok_and(|path| path.to_string_lossy().contains("isolette-runtime"))
}

fn parent(number: u32) -> Option<u32> {
    after_name(number)?.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// What the system says of a process, from its state on.
fn after_name(number: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.trim_start().to_owned())
}

fn cpu_time(number: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{number}/schedstat")).unwrap_or_default();
    text.split_ascii_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0)
}
