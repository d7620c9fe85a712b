//! The state of this process: memory, open files, threads, and processes that it started.

use std::{fs, thread, time::Duration};

use isolette_tests::processes;

/// The allowed growth after a run: memory that the allocator keeps, threads that wait for the next guest.
const MEMORY: u64 = 96 << 20;
const THREADS: usize = 12;

/// Processes that wait for the next guest, in addition to those of before, and the open files of each.
const READY: usize = 4;
const FILES_OF_A_PROCESS: usize = 2;

/// Resources of a run are freed within this time, on any machine.
const TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessState {
    threads: usize,
    files: usize,
    processes: usize,
    memory: u64,
}

impl ProcessState {
    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).expect("/proc can be read").count();
        let status = fs::read_to_string("/proc/self/status").expect("/proc can be read");
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line on memory");
        let memory: u64 = memory.trim().trim_end_matches(" kB").parse().expect("a number of kibibytes");
        Self {
            threads: count("/proc/self/task"),
            files: count("/proc/self/fd"),
            processes: processes::count(),
            memory: memory << 10,
        }
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
        let ready = now.processes.saturating_sub(self.processes);
        ready <= READY
            // One may have been about to end or to start at either moment.
            && now.files <= self.files + (ready + 1) * FILES_OF_A_PROCESS
            && now.threads <= self.threads + THREADS
            && now.memory <= self.memory + MEMORY
    }
}
