//! Limits on work of the host whose size a guest, a server or a document chooses.
//!
//! A loop over such input takes a [`Work`] and counts its steps. The work ends after its limit of steps, or when the run has to
//! end for which the host does it. The run is not passed as an argument: [`Call`] keeps it for the task.

use std::{
    cell::Cell,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::{
    broker::Deadline,
    values::{NoMemory, Reservation},
};

/// Steps after which the clock is looked at.
const BETWEEN_LOOKS: u64 = 4096;

tokio::task_local! {
    static CALL: Arc<Call>;
}

/// The host call that the host is answering: its deadline, and the memory that is reserved for it.
#[derive(Debug)]
pub(crate) struct Call {
    deadline: Deadline,
    /// One reservation, since its limit is that of the whole call.
    values: Mutex<Reservation>,
}

impl Call {
    pub(crate) fn new(deadline: Deadline) -> Arc<Self> {
        Arc::new(Self { deadline, values: Mutex::default() })
    }

    /// Runs `work`, and what it waits for on this thread, as part of the call.
    pub(crate) fn within<T>(self: &Arc<Self>, work: impl FnOnce() -> T) -> T {
        CALL.sync_scope(Arc::clone(self), work)
    }

    /// Makes a future part of the current call, wherever it is polled.
    pub(crate) fn along<F: Future>(future: F) -> impl Future<Output = F::Output> {
        let call = Self::current();
        async move {
            match call {
                Some(call) => CALL.scope(call, future).await,
                None => future.await,
            }
        }
    }

    /// Reserves memory for values until the call has ended.
    pub(crate) fn reserve(&self, bytes: u64) -> Result<(), NoMemory> {
        self.values().grow(bytes)
    }

    /// Releases some of it before.
    pub(crate) fn give_back(&self, bytes: u64) {
        let mut values = self.values();
        let rest = values.bytes().saturating_sub(bytes);
        values.shrink_to(rest);
    }

    /// Keeps a reservation until the call has ended. Outside of a call it is released at once.
    pub(crate) fn keep(reservation: Reservation) {
        if let Some(call) = Self::current() {
            call.values().absorb(reservation);
        }
    }

    /// How much is reserved for its values.
    #[cfg(test)]
    pub(crate) fn reserved(&self) -> u64 {
        self.values().bytes()
    }

    fn values(&self) -> MutexGuard<'_, Reservation> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call that this is part of, if any.
    pub(crate) fn current() -> Option<Arc<Self>> {
        CALL.try_with(Arc::clone).ok()
    }
}

/// Why work was ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// It took too many steps.
    Steps,
    /// The run that it was done for has to end.
    Time,
}

/// A limit on one piece of work.
#[derive(Debug)]
pub(crate) struct Work {
    call: Option<Arc<Call>>,
    limit: u64,
    used: Cell<u64>,
    look: Cell<u64>,
    over: Cell<Option<Over>>,
}

impl Work {
    /// At most `limit` steps, and none after the deadline of the current call's run.
    pub(crate) fn new(limit: u64) -> Self {
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

    /// Counts steps. `false` once the work has to end; what it finds after that must not be used.
    pub(crate) fn step(&self, steps: u64) -> bool {
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

    /// Why it has to end, if it has to.
    pub(crate) fn over(&self) -> Option<Over> {
        self.over.get()
    }

    /// Steps so far.
    #[cfg(test)]
    pub(crate) fn used(&self) -> u64 {
        self.used.get()
    }

    fn look(&self) {
        if self.call.as_ref().is_some_and(|call| call.deadline.check().is_err()) {
            self.over.set(self.over.get().or(Some(Over::Time)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_util::sync::CancellationToken;

    use super::*;

    fn call() -> (Arc<Call>, CancellationToken) {
        let cancel = CancellationToken::new();
        (Call::new(Deadline::new(Duration::MAX, Duration::MAX, cancel.clone())), cancel)
    }

    #[test]
    fn work_ends_after_its_steps() {
        let work = Work::new(10);
        assert!(work.step(10) && work.over().is_none());
        assert!(!work.step(1) && work.over() == Some(Over::Steps));
        assert!(!work.step(0));
    }

    #[test]
    fn work_ends_with_the_run_that_it_is_done_for() {
        let (call, cancel) = call();
        call.within(|| {
            let work = Work::new(u64::MAX);
            assert!(work.step(BETWEEN_LOOKS));
            cancel.cancel();
            assert!(!work.step(BETWEEN_LOOKS) && work.over() == Some(Over::Time));
            assert_eq!(Work::new(1).over(), Some(Over::Time));
        });
        assert_eq!(Work::new(1).over(), None, "nobody's");
    }

    #[tokio::test]
    async fn a_call_is_taken_along_to_other_tasks() {
        let (call, cancel) = call();
        cancel.cancel();
        let elsewhere = call.within(|| Call::along(async { Work::new(1).over() }));
        assert_eq!(tokio::spawn(elsewhere).await.unwrap(), Some(Over::Time));
    }
}
