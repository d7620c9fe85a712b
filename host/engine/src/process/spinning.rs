//! Whether it is worthwhile to wait for a frame actively.
//!
//! To be woken costs each side some 20 µs, as much as a call of a tool takes. So the host and a guest wait actively for a short
//! time, as long as each of the guests that run, and the host's thread for it, have a processor to themselves.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

/// How long the host waits actively.
pub(super) const PATIENCE: Duration = Duration::from_micros(50);

/// The guests that run a program, of all images.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A guest that runs a program, until this is dropped.
#[derive(Debug)]
pub(super) struct RunningGuest(());

impl RunningGuest {
    pub(super) fn begin() -> Self {
        RUNNING.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for RunningGuest {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether there are processors for it now.
pub(super) fn is_worthwhile() -> bool {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    let processors = *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
    2 * RUNNING.load(Ordering::Relaxed) <= processors
}
