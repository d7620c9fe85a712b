//! The memory limit that comes with a reply after a pause.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The value for no limit.
const NONE: u64 = u64::MAX;

static LIMIT: AtomicU64 = AtomicU64::new(NONE);

/// Keeps the limit that has come with a reply.
pub fn keep(limit: u64) {
    LIMIT.store(limit, Relaxed);
}

/// Takes the limit that has come with the last reply.
pub fn take() -> Option<u64> {
    match LIMIT.swap(NONE, Relaxed) {
        NONE => None,
        limit => Some(limit),
    }
}
