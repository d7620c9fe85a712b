//! Tracks the runs in flight, so that those past their deadlines can be ended.

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

use crate::threads;
use isolette_deadline::Deadline;

/// Interval between attempts to interrupt a run. A run is listed shortly before the processor of a micro-VM starts, and an
/// interrupt in between is lost, so it is repeated.
const RETRY_INTERVAL: Duration = Duration::from_millis(1);

/// Number of attempts during which a run in a host call is not interrupted. A host call ends by itself at the deadline,
/// and the guest with it. A run that ends like this reports its peak memory; one that is interrupted does not.
const GRACE_ATTEMPTS: usize = 50;

/// Interrupts a run outside of the host's process.
pub(crate) trait Interrupt: fmt::Debug + Send + Sync {
    /// Whether the run waits for the host.
    fn is_in_call(&self) -> bool;

    /// Tries to end the run, and returns whether no further attempt is needed.
    fn interrupt(&self) -> bool;
}

/// All runs of an image.
#[derive(Debug, Default)]
pub(crate) struct Running(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    next: u64,
    runs: HashMap<u64, Arc<Run>>,
}

#[derive(Debug)]
struct Run {
    interrupt: Arc<dyn Interrupt>,
    deadline: Deadline,
    /// Locked during an interrupt: the handle belongs to the guest, and its next run must not be interrupted.
    over: Mutex<bool>,
}

/// Keeps a run in the list, until this is dropped.
#[derive(Debug)]
pub(crate) struct Entered<'a> {
    running: &'a Running,
    number: u64,
}

impl Running {
    pub(crate) fn enter(&self, interrupt: Arc<dyn Interrupt>, deadline: Deadline) -> Entered<'_> {
        let mut list = lock(&self.0);
        let number = list.next;
        list.next += 1;
        list.runs.insert(number, Arc::new(Run { interrupt, deadline, over: Mutex::new(false) }));
        Entered { running: self, number }
    }

    /// Ends all runs that are past their deadlines, shortly after this returns: an interrupt may wait for a processor,
    /// and the caller must not be delayed.
    pub(crate) fn end_late(&self) {
        let late = {
            let is_late = |run: &&Arc<Run>| {
                run.deadline.look();
                run.deadline.check().is_err()
            };
            lock(&self.0).runs.values().filter(is_late).cloned().collect()
        };
        let late: Arc<Vec<Arc<Run>>> = Arc::new(late);
        if late.is_empty() {
            return;
        }
        let for_thread = Arc::clone(&late);
        if threads::spawn(&[], move || end(&for_thread)).is_err() {
            end(&late);
        }
    }
}

fn end(runs: &[Arc<Run>]) {
    let mut runs: Vec<_> = runs.iter().collect();
    for attempt in 0.. {
        runs.retain(|run| !run.end(attempt < GRACE_ATTEMPTS));
        if runs.is_empty() {
            return;
        }
        thread::sleep(RETRY_INTERVAL);
    }
}

impl Run {
    /// Tries to end the run and returns whether no further attempt is needed. An interrupt during a host call, which
    /// may never return, takes effect when the call returns.
    fn end(&self, in_grace_period: bool) -> bool {
        let over = lock(&self.over);
        let in_call = self.interrupt.is_in_call();
        *over || (!(in_call && in_grace_period) && (self.interrupt.interrupt() || in_call))
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let run = lock(&self.running.0).runs.remove(&self.number);
        if let Some(run) = run {
            *lock(&run.over) = true;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
