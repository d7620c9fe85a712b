//! Limits on the number of steps of one piece of work.
//!
//! A loop over input whose size a guest, a server or a document determines takes a [`Work`] and counts its steps. The
//! work ends after its limit of steps, or when the run must end for which the host does it.

use std::{cell::Cell, sync::Arc};

use crate::Call;

/// Number of steps between two checks whether the run must end.
const BETWEEN_LOOKS: u64 = 4096;

/// Why work ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// The work reached its limit of steps.
    Steps,
    /// The run for which the work is done must end.
    Time,
}

/// A limit on one piece of work.
#[derive(Debug)]
pub struct Work {
    call: Option<Arc<Call>>,
    limit: u64,
    used: Cell<u64>,
    look: Cell<u64>,
    over: Cell<Option<Over>>,
}

impl Work {
    /// Creates a limit of `limit` steps, which also ends the work when the run of the current call must end.
    pub fn new(limit: u64) -> Self {
        let work = Self {
            call: Call::current(),
            limit,
            used: Cell::new(0),
            look: Cell::new(BETWEEN_LOOKS),
            over: Cell::new(None),
        };
        work.look();
        work
    }

    /// Counts `steps` more steps. Returns `false` once the work must end; results found after that must not be used.
    pub fn step(&self, steps: u64) -> bool {
        let used = self.used.get().saturating_add(steps);
        self.used.set(used);
        if used > self.limit {
            self.over.set(self.over.get().or(Some(Over::Steps)));
        } else if used >= self.look.get() {
            self.look.set(used.saturating_add(BETWEEN_LOOKS));
            self.look();
        }
        self.over.get().is_none()
    }

    /// Returns why the work must end. `None` while it may continue.
    pub fn over(&self) -> Option<Over> {
        self.over.get()
    }

    /// Returns the number of steps so far.
    #[must_use]
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    fn look(&self) {
        if self.call.as_ref().is_some_and(|call| call.is_over()) {
            self.over.set(self.over.get().or(Some(Over::Time)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    use futures_lite::future;

    use super::*;
    use crate::Interrupt;

    impl Interrupt for Arc<AtomicBool> {
        fn is_over(&self) -> bool {
            self.load(Ordering::Relaxed)
        }
    }

    fn call() -> (Arc<Call>, Arc<AtomicBool>) {
        let over = Arc::new(AtomicBool::new(false));
        (Call::new(Arc::clone(&over)), over)
    }

    #[test]
    fn work_ends_after_its_steps() {
        let work = Work::new(10);
        assert!(work.step(10) && work.over().is_none());
        assert!(!work.step(1) && work.over() == Some(Over::Steps));
        assert!(!work.step(0));
    }

    #[test]
    fn work_ends_with_its_run() {
        let (call, over) = call();
        call.within(|| {
            let work = Work::new(u64::MAX);
            assert!(work.step(BETWEEN_LOOKS));
            over.store(true, Ordering::Relaxed);
            assert!(!work.step(BETWEEN_LOOKS) && work.over() == Some(Over::Time));
            assert_eq!(Work::new(1).over(), Some(Over::Time));
        });
        assert_eq!(Work::new(1).over(), None, "no call is current any more");
    }

    #[test]
    fn the_call_is_restored_after_a_panic() {
        let (call, over) = call();
        over.store(true, Ordering::Relaxed);
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| call.within(|| panic!("on purpose"))));
        assert!(panicked.is_err());
        assert_eq!(Work::new(1).over(), None);
    }

    #[test]
    fn a_future_stays_part_of_its_call_on_other_threads() {
        let (call, over) = call();
        over.store(true, Ordering::Relaxed);
        let elsewhere = call.within(|| {
            Call::along(async {
                future::yield_now().await;
                Work::new(1).over()
            })
        });
        let ended = thread::spawn(move || future::block_on(elsewhere)).join().unwrap();
        assert_eq!(ended, Some(Over::Time));
    }
}
