//! Compares the number of guests that run with the number of processors.

use std::{
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

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

/// Whether each guest that runs, and the host's thread for it, can have a processor to themselves.
pub(super) fn are_enough_for_both_sides() -> bool {
    2 * RUNNING.load(Ordering::Relaxed) <= count()
}

/// Whether guests use all processors now, so that work for later takes time from them.
pub(super) fn are_in_use() -> bool {
    RUNNING.load(Ordering::Relaxed) >= count()
}

fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}
