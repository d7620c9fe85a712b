//! Processes that are started in a state before their guests need them: while one fork runs its program, another processor starts
//! the process of the next one.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{SavedProcess, frames::Process, pool::Pool};
use crate::{GuestState, threads};

/// The most processes of a state that wait for a guest.
const LIMIT: usize = 2;

/// The processes that wait, of one state.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// Number of guests that are going to start.
    expected: AtomicUsize,
    ready: Mutex<Vec<Process>>,
    is_filling: AtomicBool,
}

impl Ahead {
    /// Notes that more guests are going to start.
    pub(super) fn announce(&self, count: usize) {
        self.expected.fetch_add(count, Ordering::Relaxed);
    }

    /// Notes that a guest has started or will not, and ends processes that no guest will need.
    pub(super) fn retract(&self) {
        let _ = self.expected.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
        self.trim(Vec::new());
    }

    /// Adds processes, and ends those that no guest will need.
    fn trim(&self, more: Vec<Process>) {
        let excess: Vec<_> = {
            let mut ready = self.lock();
            ready.extend(more);
            let most = self.expected.load(Ordering::Relaxed).min(ready.len());
            ready.drain(most..).collect()
        };
        drop(excess);
    }

    /// Returns a process that waits.
    pub(super) fn take(&self) -> Option<Process> {
        let mut ready = self.lock();
        ready.retain(|process| !process.handle.has_ended());
        ready.pop()
    }

    fn is_wanting(&self) -> bool {
        self.lock().len() < self.expected.load(Ordering::Relaxed).min(LIMIT)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Process>> {
        self.ready.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts processes on another thread, as long as guests are expected and too few wait for them.
pub(super) fn fill(pool: &Arc<Pool>, state: &GuestState) {
    let Some(SavedProcess { ahead, .. }) = state.saved() else { return };
    if !ahead.is_wanting() || ahead.is_filling.swap(true, Ordering::AcqRel) {
        return;
    }
    let filling = Filling(state.clone());
    let pool = Arc::clone(pool);
    // If there is no thread, the task is dropped, and with it the mark.
    let _ = threads::spawn(&[], move || {
        let Some(SavedProcess { memory, base, ahead }) = filling.0.saved() else { return };
        while ahead.is_wanting() {
            // The guest that takes a process lowers its limit.
            match pool.restore(memory, base, u64::MAX) {
                Ok(process) => ahead.trim(vec![process]),
                // A guest that needs one gets the reason.
                Err(_) => return,
            }
        }
    });
}

/// Marks that processes are being started, until it is dropped.
struct Filling(GuestState);

impl Drop for Filling {
    fn drop(&mut self) {
        if let Some(SavedProcess { ahead, .. }) = self.0.saved() {
            ahead.is_filling.store(false, Ordering::Release);
        }
    }
}
