//! What a process holds.

use std::fs;

/// At one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) memory: u64,
    pub(crate) files: usize,
    pub(crate) threads: usize,
}

impl Held {
    pub(crate) const MOST: Self = Self { memory: u64::MAX, files: usize::MAX, threads: usize::MAX };

    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).unwrap().count();
        Self { memory: private_memory(), files: count("/proc/self/fd"), threads: count("/proc/self/task") }
    }

    /// Of each the least: what is there for a moment only does not count.
    pub(crate) fn least(self, other: Self) -> Self {
        Self {
            memory: self.memory.min(other.memory),
            files: self.files.min(other.files),
            threads: self.threads.min(other.threads),
        }
    }
}

/// Bytes that no other process shares and that are in memory.
pub(crate) fn private_memory() -> u64 {
    let rollup = fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let kibibytes = |name: &str| -> u64 {
        let line = rollup.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{rollup}"));
        line.trim().trim_end_matches(" kB").parse().unwrap()
    };
    (kibibytes("Private_Clean:") + kibibytes("Private_Dirty:")) << 10
}
