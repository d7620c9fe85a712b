//! What the process holds.

use std::{fs, thread, time::Duration};

/// What a run may leave behind for a while: memory that the allocator keeps for later, threads that wait for the next guest.
const MEMORY: u64 = 96 << 20;
const THREADS: usize = 12;

/// What is let go of after a run is let go of within this time, on any machine.
const PATIENCE: Duration = Duration::from_secs(30);
const MOMENT: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Health {
    threads: usize,
    files: usize,
    memory: u64,
}

impl Health {
    pub(crate) fn now() -> Self {
        let count = |folder: &str| fs::read_dir(folder).expect("what the system tells of this process").count();
        let status = fs::read_to_string("/proc/self/status").expect("what the system tells of this process");
        let memory = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a line on memory");
        let memory: u64 = memory.trim().trim_end_matches(" kB").parse().expect("a number of kibibytes");
        Self { threads: count("/proc/self/task"), files: count("/proc/self/fd"), memory: memory << 10 }
    }

    /// Waits until the process holds no more than before, as far as it ever gives back.
    pub(crate) fn assert_restored(self) {
        let mut now = Self::now();
        let mut waited = Duration::ZERO;
        while !self.covers(now) {
            assert!(waited < PATIENCE, "the process held {self:?} before, and holds {now:?}");
            thread::sleep(MOMENT);
            waited += MOMENT;
            now = Self::now();
        }
    }

    fn covers(self, now: Self) -> bool {
        now.files <= self.files && now.threads <= self.threads + THREADS && now.memory <= self.memory + MEMORY
    }
}
