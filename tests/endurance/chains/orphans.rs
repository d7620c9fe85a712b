//! The processes that killed hosts have started.
//!
//! The system makes them children of this process, so that they can be told from those of other programs of this machine.

use std::{
    collections::BTreeSet,
    process,
    time::{Duration, Instant},
};

use isolette_tests::processes::children;
use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

/// A process that was killed is gone within this time on any machine.
const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct Orphans {
    /// Children of this process that it has started itself.
    own: BTreeSet<u32>,
}

impl Orphans {
    /// Makes this process the parent of all orphans from here on.
    pub(super) fn adopt() -> Self {
        set_child_subreaper(Some(getpid())).unwrap();
        Self { own: children(process::id()) }
    }

    /// Waits until they have ended, and returns the numbers of those that have not.
    pub(super) fn await_their_end(&self) -> Vec<u32> {
        let began = Instant::now();
        loop {
            let left: Vec<u32> = children(process::id()).difference(&self.own).copied().collect();
            if left.is_empty() || began.elapsed() > TIMEOUT {
                return left;
            }
            for number in left {
                let number = Pid::from_raw(number.cast_signed());
                // The system may not have it as a child of this process yet.
                let _ = waitpid(number, WaitOptions::NOHANG);
            }
            std::thread::yield_now();
        }
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        let _ = set_child_subreaper(None);
    }
}
