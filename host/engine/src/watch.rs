//! Watches the deadlines of runs whose callers wait asynchronously.
//!
//! Such a caller may poll at any interval, so another task has to end its run in time. Most programs end within a millisecond or
//! two, and to start and stop a task for each wakes threads twice. So runs are collected for a moment, and only those that last
//! longer get a task.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use isolette_deadline::{Deadline, Stop, runtime};
use isolette_types::Error;
use tokio_util::sync::CancellationToken;

use crate::Engine;

/// The time that a run lasts before it gets a task.
const SHORT: Duration = Duration::from_millis(10);

/// Grace period after the deadline in which a guest can end by itself, so that it can be distinguished from a tool that
/// hangs.
const GRACE: Duration = Duration::from_millis(100);

/// Grace period after a cancellation. It is shorter, because the caller only needs to know that the cancellation took
/// effect.
const GRACE_CANCELLED: Duration = Duration::from_millis(30);

pub(crate) fn grace(stop: Stop) -> Duration {
    if stop == Stop::Cancelled { GRACE_CANCELLED } else { GRACE }
}

/// A run whose caller waits asynchronously.
pub(crate) struct Run {
    pub(crate) deadline: Deadline,
    pub(crate) engine: Arc<dyn Engine>,
    /// Called if the guest has not ended a grace period after its deadline.
    pub(crate) abandon: Box<dyn FnOnce(Stop) + Send>,
}

/// Ends a run at its deadline, until this is dropped.
#[derive(Debug)]
pub(crate) struct Watch {
    place: Arc<Place>,
    ended: CancellationToken,
}

/// A run until it has ended, or gets a task. What its deadline holds must not be held any longer.
struct Place(Mutex<Option<Run>>);

/// The runs of the last moment. Those that have ended are among them, empty.
static NEW: Mutex<Vec<(Arc<Place>, CancellationToken)>> = Mutex::new(Vec::new());

impl Watch {
    /// # Errors
    /// If the host's runtime cannot be started.
    pub(crate) fn begin(run: Run) -> Result<Self, Error> {
        let runtime = runtime()?;
        let ended = CancellationToken::new();
        if run.deadline.look() < Instant::now() + SHORT {
            runtime.spawn(late(run, ended.clone()));
            return Ok(Self { place: Arc::new(Place(Mutex::new(None))), ended });
        }
        let place = Arc::new(Place(Mutex::new(Some(run))));
        if add((Arc::clone(&place), ended.clone())) == 1 {
            runtime.spawn(async {
                tokio::time::sleep(SHORT).await;
                let runs = mem::take(&mut *lock(&NEW));
                for (place, ended) in runs {
                    if let Some(run) = place.take() {
                        tokio::spawn(late(run, ended));
                    }
                }
            });
        }
        Ok(Self { place, ended })
    }
}

/// Adds a run, and returns how many there are.
fn add(run: (Arc<Place>, CancellationToken)) -> usize {
    let mut runs = lock(&NEW);
    runs.push(run);
    runs.len()
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.place.take());
        self.ended.cancel();
    }
}

impl Place {
    fn take(&self) -> Option<Run> {
        lock(&self.0).take()
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Place").finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends a run if it is late, unless it has ended.
async fn late(Run { deadline, engine, abandon }: Run, ended: CancellationToken) {
    let late = async {
        let stop = loop {
            let next_check = deadline.look();
            if let Err(stop) = deadline.check() {
                break stop;
            }
            tokio::select! {
                biased;
                stop = deadline.passed() => break stop,
                () = tokio::time::sleep_until(next_check.into()) => {}
            }
        };
        engine.wake();
        tokio::time::sleep(grace(stop)).await;
        abandon(stop);
    };
    ended.run_until_cancelled(late).await;
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{self, RecvTimeoutError};

    use isolette_deadline::Held;

    use super::*;
    use crate::{EngineError, Instance};

    /// An engine that has no guests, and says when it is woken.
    #[derive(Debug)]
    struct Sleeper(Mutex<mpsc::Sender<&'static str>>);

    impl Engine for Sleeper {
        fn instantiate(&self, _: u64) -> Result<Box<dyn Instance>, EngineError> {
            Err(EngineError::OutOfMemory)
        }

        fn wake(&self) {
            let _ = lock(&self.0).send("woken");
        }
    }

    /// Watches a run, and returns what happens to it.
    fn begin(deadline: Deadline) -> (Watch, mpsc::Receiver<&'static str>) {
        let (sender, events) = mpsc::channel();
        let engine = Arc::new(Sleeper(Mutex::new(sender.clone())));
        let abandon = Box::new(move |stop| {
            let _ = sender.send(match stop {
                Stop::Cancelled => "cancelled",
                Stop::Deadline => "late",
                _ => "stopped",
            });
        });
        (Watch::begin(Run { deadline, engine, abandon }).unwrap(), events)
    }

    const FOREVER: Duration = Duration::from_secs(3600);

    #[test]
    fn a_run_is_ended_at_its_deadline_however_short() {
        for limit in [Duration::ZERO, SHORT / 2, 2 * SHORT] {
            let (_watch, events) = begin(Deadline::new(limit, FOREVER, CancellationToken::new()));
            assert_eq!([events.recv(), events.recv()], [Ok("woken"), Ok("late")], "{limit:?}");
        }
    }

    #[test]
    fn a_run_is_ended_when_it_is_cancelled() {
        for wait in [Duration::ZERO, 2 * SHORT] {
            let cancel = CancellationToken::new();
            let (_watch, events) = begin(Deadline::new(FOREVER, FOREVER, cancel.clone()));
            assert_eq!(events.recv_timeout(wait), Err(RecvTimeoutError::Timeout));
            cancel.cancel();
            assert_eq!([events.recv(), events.recv()], [Ok("woken"), Ok("cancelled")], "after {wait:?}");
        }
    }

    #[test]
    fn what_a_short_run_holds_is_dropped_with_it_and_nothing_happens_to_it() {
        let (held, mut holding) = (Arc::new(()), Held::default());
        holding.keep(Arc::clone(&held));
        let cancel = CancellationToken::new();
        let (watch, events) = begin(Deadline::new(FOREVER, FOREVER, cancel.clone()).holding(holding));
        drop(watch);
        assert_eq!(Arc::strong_count(&held), 1);
        cancel.cancel();
        assert_eq!(events.recv(), Err(mpsc::RecvError), "the engine is not known any more");
    }
}
