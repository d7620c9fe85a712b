//! The handle with which other threads refer to a guest's process.

use std::{
    os::fd::OwnedFd,
    sync::atomic::{AtomicBool, Ordering},
};

use isolette_deadline::ProcessClock;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::{Pid, Resource, Rlimit, Signal, pidfd_send_signal, prlimit},
};

use crate::running::Interrupt;

/// A handle to a process. It outlives the process, whose number another process may get then: so it has a descriptor of the process.
#[derive(Debug)]
pub(super) struct Handle {
    process: OwnedFd,
    number: u32,
    in_call: AtomicBool,
    killed: AtomicBool,
}

impl Handle {
    pub(super) fn new(process: OwnedFd, number: u32) -> Self {
        Self { process, number, in_call: AtomicBool::new(false), killed: AtomicBool::new(false) }
    }

    /// Does the work that the guest waits for.
    pub(super) fn in_call<T>(&self, work: impl FnOnce() -> T) -> T {
        self.in_call.store(true, Ordering::Release);
        let done = work();
        self.in_call.store(false, Ordering::Release);
        done
    }

    /// Ends the process. That it has ended before is no error.
    pub(super) fn kill(&self) {
        self.killed.store(true, Ordering::Release);
        let _ = pidfd_send_signal(&self.process, Signal::KILL);
    }

    /// Stops the process, until [`Handle::go_on`]: it cannot use a processor then, whatever it does.
    pub(super) fn stop(&self) {
        let _ = pidfd_send_signal(&self.process, Signal::STOP);
    }

    /// Lets the process go on.
    pub(super) fn go_on(&self) {
        let _ = pidfd_send_signal(&self.process, Signal::CONT);
    }

    /// Whether the process was killed, at a moment when it may have been done already.
    pub(super) fn was_killed(&self) -> bool {
        self.killed.load(Ordering::Acquire)
    }

    /// Whether the process has ended, by whatever cause, or the system does not say.
    pub(super) fn has_ended(&self) -> bool {
        self.end() != Ok(false)
    }

    /// Whether the process has certainly ended, so that what it had can be given to another one.
    pub(super) fn is_gone(&self) -> bool {
        self.end() == Ok(true)
    }

    fn end(&self) -> Result<bool, Errno> {
        let mut descriptors = [PollFd::new(&self.process, PollFlags::IN)];
        poll(&mut descriptors, Some(&Timespec::default())).map(|count| count > 0)
    }

    /// Limits the memory that the process can write to, in bytes. A runtime that was taken over does not keep to a limit of its
    /// own.
    pub(super) fn limit_memory(&self, bytes: u64) -> Result<(), Errno> {
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        let process = self.living().ok_or(Errno::SRCH)?;
        prlimit(Some(process), Resource::Data, limit).map(drop)
    }

    /// The number of the process, which another one may have once it has ended.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Returns the same number, for system calls that take no descriptor. `None` if the process has ended.
    pub(super) fn living(&self) -> Option<Pid> {
        i32::try_from(self.number).ok().and_then(Pid::from_raw).filter(|_| !self.has_ended())
    }

    /// Measures the CPU time of the process.
    pub(super) fn clock(&self) -> ProcessClock {
        ProcessClock::of(self.number)
    }
}

impl Interrupt for Handle {
    fn is_in_call(&self) -> bool {
        self.in_call.load(Ordering::Acquire)
    }

    fn interrupt(&self) -> bool {
        self.kill();
        true
    }
}
