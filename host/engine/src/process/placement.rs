//! Keeps a guest and the host's thread for it on different processors.
//!
//! The system may put both on one, because each wakes the other one, and leave them there, because each sleeps soon. Then none can
//! wait actively for the other.

use std::{
    fs::File,
    io::Read as _,
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::handle::Handle;

/// The longest time for which a guest is kept on one processor, so that the system can place it anew.
const TIME: Duration = Duration::from_secs(1);

/// The most bytes of the system's description of a process, in one line.
const STATUS_LIMIT: u64 = 1024;

/// The number of fields after the name of the program, up to the processor (`Documentation/filesystems/proc.rst` of the kernel, `stat`).
const FIELDS_UNTIL_PROCESSOR: usize = 36;

/// Whether this thread and a guest, which has just sent a frame, are on one processor.
pub(super) fn is_shared(guest: &Handle) -> bool {
    processor(guest) == Some(sched_getcpu())
}

/// The processor on which a process runs, or ran last.
fn processor(guest: &Handle) -> Option<usize> {
    let mut line = String::new();
    let status = File::open(format!("/proc/{}/stat", guest.living()?.as_raw_nonzero())).ok()?;
    status.take(STATUS_LIMIT).read_to_string(&mut line).ok()?;
    // The name of the program may contain anything.
    let (_, fields) = line.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(FIELDS_UNTIL_PROCESSOR)?.parse().ok()
}

/// A guest, which stays on the processor where it is. It may use all that it could before once this is dropped.
#[derive(Debug)]
pub(super) struct Apart {
    guest: Arc<Handle>,
    of_guest: CpuSet,
    processor: usize,
    since: Instant,
}

impl Apart {
    /// Moves this thread away from the processor that it shares with a guest. Returns `None` if there is no other one for it, or if
    /// the system refuses.
    pub(super) fn from(guest: &Arc<Handle>) -> Option<Self> {
        let process = guest.living()?;
        let (of_guest, processor) = (sched_getaffinity(Some(process)).ok()?, sched_getcpu());
        let mut only = CpuSet::new();
        only.set(processor);
        if !of_guest.is_set(processor) {
            return None;
        }
        let apart = Self { guest: Arc::clone(guest), of_guest, processor, since: Instant::now() };
        drop(apart.elsewhere()?);
        sched_setaffinity(Some(process), &only).ok()?;
        Some(apart)
    }

    /// Keeps this thread off the processor of the guest, for a time in which it sleeps, so that it wakes up on another one. It must
    /// not start threads or processes meanwhile, because these would be kept off for good. Returns `None` if there is no other one.
    pub(super) fn elsewhere(&self) -> Option<Elsewhere> {
        let before = sched_getaffinity(None).ok()?;
        let mut others = before;
        others.unset(self.processor);
        if others.count() == 0 {
            return None;
        }
        sched_setaffinity(None, &others).ok()?;
        Some(Elsewhere(before))
    }

    /// Returns how much longer the guest and the thread may be kept apart.
    pub(super) fn rest(&self) -> Duration {
        TIME.saturating_sub(self.since.elapsed())
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        // A guest that has ended uses none.
        if let Some(process) = self.guest.living() {
            let _ = sched_setaffinity(Some(process), &self.of_guest);
        }
    }
}

/// Keeps this thread off a processor, until this is dropped.
#[derive(Debug)]
pub(super) struct Elsewhere(CpuSet);

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = sched_setaffinity(None, &self.0);
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::process::{Pid, PidfdFlags, pidfd_open};

    use super::*;

    #[test]
    fn what_both_may_use_is_restored() {
        let mut other = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = Pid::from_child(&other);
        let guest = Arc::new(Handle::new(pidfd_open(process, PidfdFlags::empty()).unwrap(), other.id()));
        let affinities = || (sched_getaffinity(None).unwrap(), sched_getaffinity(Some(process)).unwrap());
        let before = affinities();
        assert!(processor(&guest).is_some_and(|processor| before.1.is_set(processor)));
        let apart = Apart::from(&guest);
        let during = affinities();
        assert_eq!(apart.is_some(), before.0.count() > 1);
        assert_eq!(during.0, before.0, "what this thread starts may use all");
        if let Some(apart) = &apart {
            assert_eq!(during.1.count(), 1);
            let elsewhere = apart.elsewhere();
            let of_thread = sched_getaffinity(None).unwrap();
            assert!((0..CpuSet::MAX_CPU).all(|processor| !(of_thread.is_set(processor) && during.1.is_set(processor))));
            drop(elsewhere);
        }
        drop(apart);
        assert_eq!(affinities(), before);
        drop(other.stdin.take());
        other.wait().unwrap();
        assert!(Apart::from(&guest).is_none(), "a process that has ended is not moved");
        assert!(!is_shared(&guest));
        assert_eq!(sched_getaffinity(None).unwrap(), before.0);
    }
}
