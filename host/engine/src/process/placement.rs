//! Keeps a guest and the host's thread for it on different processors.
//!
//! The system may put both on one, because each wakes the other one, and leave them there, because each sleeps soon. Then none can
//! wait actively for the other.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::{
    process::Pid,
    thread::{CpuSet, gettid, sched_getaffinity, sched_getcpu, sched_setaffinity},
};

use super::handle::Handle;

/// How long they are kept apart at most, so that the system can place them anew.
const TIME: Duration = Duration::from_secs(1);

/// A guest, which stays on the processor where it is, and a thread, which stays on the others. Both may use all that they could before
/// once this is dropped.
#[derive(Debug)]
pub(super) struct Apart {
    guest: (Arc<Handle>, CpuSet),
    thread: (Pid, CpuSet),
    since: Instant,
}

impl Apart {
    /// Moves this thread away from the processor that it shares with a guest. Returns `None` if there is no other one for it, or if
    /// the system refuses.
    pub(super) fn from(guest: &Arc<Handle>) -> Option<Self> {
        let process = guest.living()?;
        let (of_guest, of_thread) = (sched_getaffinity(Some(process)).ok()?, sched_getaffinity(None).ok()?);
        let here = sched_getcpu();
        let (mut only, mut others) = (CpuSet::new(), of_thread);
        only.set(here);
        others.unset(here);
        if others.count() == 0 || !of_guest.is_set(here) {
            return None;
        }
        let apart = Self { guest: (Arc::clone(guest), of_guest), thread: (gettid(), of_thread), since: Instant::now() };
        sched_setaffinity(None, &others).ok()?;
        // If it fails, what the thread may use is restored as `apart` is dropped.
        sched_setaffinity(Some(process), &only).ok()?;
        Some(apart)
    }

    /// How much longer they may be kept apart.
    pub(super) fn rest(&self) -> Duration {
        TIME.saturating_sub(self.since.elapsed())
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        // A guest or a thread that has ended uses none.
        let _ = sched_setaffinity(Some(self.thread.0), &self.thread.1);
        if let Some(process) = self.guest.0.living() {
            let _ = sched_setaffinity(Some(process), &self.guest.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use rustix::process::{PidfdFlags, pidfd_open};

    use super::*;

    #[test]
    fn what_both_may_use_is_restored() {
        let mut other = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = Pid::from_child(&other);
        let guest = Arc::new(Handle::new(pidfd_open(process, PidfdFlags::empty()).unwrap(), other.id()));
        let before = (sched_getaffinity(None).unwrap(), sched_getaffinity(Some(process)).unwrap());
        let apart = Apart::from(&guest);
        let during = (sched_getaffinity(None).unwrap(), sched_getaffinity(Some(process)).unwrap());
        assert_eq!(apart.is_some(), before.0.count() > 1);
        if apart.is_some() {
            assert_eq!(during.1.count(), 1);
            assert!((0..CpuSet::MAX_CPU).all(|processor| !(during.0.is_set(processor) && during.1.is_set(processor))));
        }
        drop(apart);
        assert_eq!((sched_getaffinity(None).unwrap(), sched_getaffinity(Some(process)).unwrap()), before);
        drop(other.stdin.take());
        other.wait().unwrap();
        assert!(Apart::from(&guest).is_none(), "a process that has ended is not moved");
        assert_eq!(sched_getaffinity(None).unwrap(), before.0);
    }
}
