//! The state of this process: memory, open files and threads.

use std::{fs, thread, time::Duration};

/// The allowed growth after a run: memory that the allocator keeps, threads that wait for the next guest.
const MEMORY: u64 = 96 << 20;
const THREADS: usize = 12;

/// Resources of a run are freed within this time, on any machine.
const TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessState {
    threads: usize,
    files: usize,
    memory: u64,
}

impl ProcessState {
    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).expect("/proc can be read").count();
        let status = fs::read_to_string("/proc/self/status").expect("/proc can be read");
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line on memory");
        let memory: u64 = memory.trim().trim_end_matches(" kB").parse().expect("a number of kibibytes");
        Self { threads: count("/proc/self/task"), files: count("/proc/self/fd"), memory: memory << 10 }
    }

    /// Waits until the process holds no more than in this state, within the tolerances above.
    pub(crate) fn assert_restored(self) {
        let mut now = Self::now();
        let mut waited = Duration::ZERO;
        while !self.covers(now) {
            assert!(waited < TIMEOUT, "the process held {self:?} before, and holds {now:?}");
            thread::sleep(POLL_INTERVAL);
            waited += POLL_INTERVAL;
            now = Self::now();
        }
    }

    fn covers(self, now: Self) -> bool {
        now.files <= self.files && now.threads <= self.threads + THREADS && now.memory <= self.memory + MEMORY
    }
}
