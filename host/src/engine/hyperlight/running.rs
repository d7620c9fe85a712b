//! The runs under way, so that those that take too long can be ended.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, atomic::Ordering},
    thread,
    time::Duration,
};

use hyperlight_host::hypervisor::InterruptHandle;

use super::{Exchange, lock};
use crate::broker::Deadline;

/// A run is listed a moment before its processor starts, and an interrupt in between is lost. So one tries again.
const ATTEMPTS: usize = 50;
const MOMENT: Duration = Duration::from_millis(1);

/// All runs of an image.
#[derive(Debug, Default)]
pub(super) struct Running(Mutex<List>);

#[derive(Debug, Default)]
struct List {
    next: u64,
    runs: HashMap<u64, Arc<Run>>,
}

#[derive(Debug)]
struct Run {
    interrupt: Arc<dyn InterruptHandle>,
    exchange: Arc<Exchange>,
    deadline: Deadline,
}

/// A run is listed as long as this lives.
#[derive(Debug)]
pub(super) struct Entered<'a> {
    running: &'a Running,
    number: u64,
}

impl Running {
    pub(super) fn enter(
        &self,
        interrupt: Arc<dyn InterruptHandle>,
        exchange: Arc<Exchange>,
        deadline: Deadline,
    ) -> Entered<'_> {
        let mut list = lock(&self.0);
        let number = list.next;
        list.next += 1;
        list.runs.insert(number, Arc::new(Run { interrupt, exchange, deadline }));
        Entered { running: self, number }
    }

    /// Ends all runs that should have ended.
    pub(super) fn end_late(&self) {
        let late = |(_, run): &(&u64, &Arc<Run>)| run.deadline.check().is_err();
        let late: Vec<_> =
            lock(&self.0).runs.iter().filter(late).map(|(number, run)| (*number, Arc::clone(run))).collect();
        for (number, run) in late {
            for _ in 0..ATTEMPTS {
                // A host call ends by itself at the deadline, and the guest with it.
                if run.interrupt.kill() || run.exchange.in_call.load(Ordering::Acquire) || !self.is_listed(number) {
                    break;
                }
                thread::sleep(MOMENT);
            }
        }
    }

    fn is_listed(&self, number: u64) -> bool {
        lock(&self.0).runs.contains_key(&number)
    }
}

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        lock(&self.running.0).runs.remove(&self.number);
    }
}
