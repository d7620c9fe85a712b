//! The time that a run takes from budgets which it shares with other runs, in parts and before it passes.

use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Instant,
};

use isolette_deadline::{AbortOnDrop, abort_on_drop, runtime};
use isolette_policy::{Budget, TIME_PART, TimeUse};
use isolette_types::Error;
use tokio_util::sync::CancellationToken;

/// The time budgets of a run. It ends when one of them is spent.
#[derive(Default)]
pub(super) struct TimeBudgets {
    /// While the run is in progress, and not paused.
    using: Option<Using>,
    /// The budget that had no time left.
    spent: Arc<OnceLock<Budget>>,
}

struct Using {
    times: Times,
    /// Reserves further parts, and ends the run when there is none.
    _watch: AbortOnDrop<()>,
}

#[derive(Clone)]
struct Times(Arc<Mutex<Vec<(Budget, TimeUse)>>>);

impl TimeBudgets {
    /// Begins to use the time, or continues after a pause. `cancel` ends the run.
    ///
    /// # Errors
    /// [`Error::BudgetSpent`] if a budget has no time left; [`Error::Io`].
    pub(super) fn begin(&mut self, budgets: &[Budget], cancel: &CancellationToken) -> Result<(), Error> {
        let mut times = Vec::new();
        for budget in budgets {
            match budget.begin_time() {
                Ok(None) => {}
                Ok(Some(time)) => times.push((budget.clone(), time)),
                Err(error) => {
                    let _ = self.spent.set(budget.clone());
                    return Err(error);
                }
            }
        }
        if times.is_empty() {
            return Ok(());
        }
        let times = Times(Arc::new(Mutex::new(times)));
        let (watched, cancel, spent) = (times.clone(), cancel.clone(), Arc::clone(&self.spent));
        let watch = async move {
            loop {
                match watched.go_on() {
                    Ok(until) => tokio::time::sleep_until(until.into()).await,
                    // The run ends for another reason already.
                    Err(_) if cancel.is_cancelled() => return,
                    Err(budget) => {
                        let _ = spent.set(budget);
                        return cancel.cancel();
                    }
                }
            }
        };
        let runtime = runtime()?;
        let _entered = runtime.enter();
        self.using = Some(Using { times, _watch: abort_on_drop(watch) });
        Ok(())
    }

    /// As [`begin`](Self::begin), for a run that was paused: it ends if there is no time left.
    pub(super) fn go_on(&mut self, budgets: &[Budget], cancel: &CancellationToken) {
        if self.begin(budgets, cancel).is_err() {
            cancel.cancel();
        }
    }

    /// Returns what was reserved and not used, until the run goes on.
    pub(super) fn stop(&mut self) {
        if let Some(using) = self.using.take() {
            using.times.end();
        }
    }

    /// The budget that had no time left, so that the run was ended.
    pub(super) fn spent(&self) -> Option<&Budget> {
        self.spent.get()
    }
}

impl Times {
    /// Reserves what is needed at present. Returns when more is needed; `Err` has a budget with nothing left.
    fn go_on(&self) -> Result<Instant, Budget> {
        let mut times = self.lock();
        // If it has none, the use has ended, and the watch ends next.
        let mut next = Instant::now() + TIME_PART;
        for (budget, time) in &mut *times {
            if !time.go_on() {
                return Err(budget.clone());
            }
            next = next.min(time.until());
        }
        Ok(next)
    }

    /// Counts what was used. The watch may not be gone yet.
    fn end(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Budget, TimeUse)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
