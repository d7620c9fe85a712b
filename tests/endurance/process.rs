//! The state of this process: memory, open files, threads, and processes that it started.

use std::fs;

use isolette_tests::processes;

/// At one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessState {
    pub(crate) memory: u64,
    pub(crate) files: usize,
    pub(crate) threads: usize,
    pub(crate) processes: usize,
}

impl ProcessState {
    pub(crate) const MOST: Self =
        Self { memory: u64::MAX, files: usize::MAX, threads: usize::MAX, processes: usize::MAX };

    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).unwrap().count();
        Self {
            memory: private_memory(),
            files: count("/proc/self/fd"),
            threads: count("/proc/self/task"),
            processes: processes::count(),
        }
    }

    /// The minimum of each, so that short-lived resources do not count.
    pub(crate) fn least(self, other: Self) -> Self {
        Self {
            memory: self.memory.min(other.memory),
            files: self.files.min(other.files),
            threads: self.threads.min(other.threads),
            processes: self.processes.min(other.processes),
        }
    }
}

/// Resident bytes of this process alone. Clean pages of files do not count, because whether another process has them depends on
/// the number of live guests of an image.
pub(crate) fn private_memory() -> u64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let dirty =
        rollup.lines().find_map(|line| line.strip_prefix("Private_Dirty:")).unwrap_or_else(|| panic!("{rollup}"));
    dirty.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}
