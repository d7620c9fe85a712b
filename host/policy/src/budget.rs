//! Budgets that several runs share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use isolette_types::{BudgetState, BudgetUsage, Error};

/// A budget that several runs share, for example those of a sandbox, of a session, or of one customer. Each part is
/// unlimited until its limit is set; the [`Limits`](crate::Limits) of each run apply in addition.
///
/// Clones share the same usage. Runs at the same time use no more together than one after the other: calls and requests are counted
/// before they are made, and time is taken in parts of [`TIME_PART`] before it passes.
///
/// ```
/// use std::time::Duration;
///
/// let budget = isolette::Budget::new().tool_calls(100).http_requests(20).time(Duration::from_secs(60));
/// assert_eq!(budget.state().tool_calls.unwrap().remaining(), 100);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    tool_calls: Option<u64>,
    http_requests: Option<u64>,
    time: Option<Duration>,
    used: Arc<Used>,
}

#[derive(Debug, Default)]
struct Used {
    tool_calls: AtomicU64,
    http_requests: AtomicU64,
    /// The time that runs have used, with the parts that those in progress have reserved.
    microseconds: AtomicU64,
}

/// The part of a time budget that a run reserves at a time. A run returns what it has not used of its last part; runs in progress may
/// thus have reserved this much each while another one finds nothing left.
pub const TIME_PART: Duration = Duration::from_millis(50);

impl Budget {
    /// Creates a budget without limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the maximum number of tool calls. A call beyond it fails inside the guest with a budget error.
    #[must_use]
    pub fn tool_calls(mut self, limit: u64) -> Self {
        self.tool_calls = Some(limit);
        self
    }

    /// Sets the maximum number of HTTP requests. A request beyond it fails inside the guest with a budget error.
    #[must_use]
    pub fn http_requests(mut self, limit: u64) -> Self {
        self.http_requests = Some(limit);
        self
    }

    /// Sets the total wall time of all runs. Runs in progress use it up together; when nothing remains, they end with
    /// [`Error::BudgetSpent`], and no other one begins. It is exceeded by no more than the time that it takes to stop them, which is a few
    /// milliseconds for each.
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// Returns how much of each limited part is used. The time is in milliseconds, with what runs in progress have reserved.
    #[must_use]
    pub fn state(&self) -> BudgetState {
        let usage = |limit: Option<u64>, used: &AtomicU64, unit: u64| {
            limit.map(|limit| BudgetUsage::new(limit, used.load(Ordering::Relaxed) / unit))
        };
        let milliseconds = self.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let mut state = BudgetState::default();
        state.tool_calls = usage(self.tool_calls, &self.used.tool_calls, 1);
        state.http_requests = usage(self.http_requests, &self.used.http_requests, 1);
        state.time_ms = usage(milliseconds, &self.used.microseconds, 1000);
        state
    }

    /// Counts one tool call. `Err` has the limit if no call remains.
    pub fn take_tool_call(&self) -> Result<(), u64> {
        take(&self.used.tool_calls, self.tool_calls)
    }

    /// Counts one HTTP request. `Err` has the limit if no request remains.
    pub fn take_http_request(&self) -> Result<(), u64> {
        take(&self.used.http_requests, self.http_requests)
    }

    /// Takes back the count of a tool call that was not made, since another budget has refused it.
    pub fn return_tool_call(&self) {
        give_back(&self.used.tool_calls, 1);
    }

    /// Takes back the count of an HTTP request that was not sent, since another budget has refused it.
    pub fn return_http_request(&self) {
        give_back(&self.used.http_requests, 1);
    }

    /// Reserves the first part of the time for a run that begins now. `None` if time is unlimited.
    ///
    /// # Errors
    /// [`Error::BudgetSpent`] if no time remains that other runs have not reserved.
    pub fn begin_time(&self) -> Result<Option<TimeUse>, Error> {
        let Some(limit) = self.time else { return Ok(None) };
        match take_part(&self.used.microseconds, limit) {
            Some(reserved) => {
                Ok(Some(TimeUse { used: Arc::clone(&self.used), limit, began: Instant::now(), reserved }))
            }
            None => Err(self.time_spent()),
        }
    }

    /// The error of a run for which no time remains.
    #[must_use]
    pub fn time_spent(&self) -> Error {
        let used = Duration::from_micros(self.used.microseconds.load(Ordering::Relaxed));
        let limit = self.time.unwrap_or_default();
        // No more digits than people read.
        let used = Duration::from_millis(u64::try_from(used.as_millis()).unwrap_or(u64::MAX));
        Error::BudgetSpent { what: "time", limit: format!("{limit:?}"), used: format!("{used:?}"), partial: None }
    }
}

/// The use of a time budget by a run, from its beginning or continuation until this is dropped. What was reserved and not used is
/// returned then.
#[derive(Debug)]
pub struct TimeUse {
    used: Arc<Used>,
    limit: Duration,
    began: Instant,
    /// Time since the beginning that was taken from the budget.
    reserved: Duration,
}

impl TimeUse {
    /// Returns when the time that was reserved is over.
    #[must_use]
    pub fn until(&self) -> Instant {
        self.began.checked_add(self.reserved).unwrap_or(self.began)
    }

    /// Reserves another part as soon as the present one is over. Returns whether the run may go on.
    pub fn go_on(&mut self) -> bool {
        let passed = self.began.elapsed();
        passed < self.reserved || self.reserve_more(passed)
    }

    /// Reserves a part from a moment on, or as much as remains. What has passed without being reserved is taken in any case.
    fn reserve_more(&mut self, passed: Duration) -> bool {
        take_always(&self.used.microseconds, microseconds(passed.saturating_sub(self.reserved)));
        self.reserved = self.reserved.max(passed);
        let part = take_part(&self.used.microseconds, self.limit);
        self.reserved += part.unwrap_or_default();
        part.is_some()
    }

    fn end(&mut self, passed: Duration) {
        match self.reserved.checked_sub(passed) {
            Some(unused) => give_back(&self.used.microseconds, microseconds(unused)),
            None => take_always(&self.used.microseconds, microseconds(passed - self.reserved)),
        }
        self.reserved = passed;
    }
}

impl Drop for TimeUse {
    fn drop(&mut self) {
        self.end(self.began.elapsed());
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Takes the next part of the time, or as much as remains. `None` if nothing does.
fn take_part(used: &AtomicU64, limit: Duration) -> Option<Duration> {
    let mut taken = 0;
    let take = |used: u64| {
        taken = microseconds(TIME_PART).min(microseconds(limit).saturating_sub(used));
        (taken > 0).then(|| used + taken)
    };
    used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
    Some(Duration::from_micros(taken))
}

fn take_always(used: &AtomicU64, more: u64) {
    let _ = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_add(more)));
}

fn give_back(used: &AtomicU64, less: u64) {
    let _ = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| Some(used.saturating_sub(less)));
}

/// A refused call is not counted, so that the reported usage is what was really used.
fn take(used: &AtomicU64, limit: Option<u64>) -> Result<(), u64> {
    let take = |used: u64| limit.is_none_or(|limit| used < limit).then_some(used + 1);
    match used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
        Ok(_) => Ok(()),
        Err(used) => Err(limit.unwrap_or(used)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn clones_share_one_account() {
        let budget = Budget::new().tool_calls(2);
        let other = budget.clone();
        assert_eq!(
            (budget.take_tool_call(), other.take_tool_call(), budget.take_tool_call()),
            (Ok(()), Ok(()), Err(2))
        );
        assert_eq!(other.state().tool_calls, Some(BudgetUsage::new(2, 2)));
        assert_eq!(budget.take_http_request(), Ok(()), "no limit was set");
    }

    fn used(budget: &Budget) -> Duration {
        Duration::from_micros(budget.used.microseconds.load(Ordering::Relaxed))
    }

    #[test]
    fn a_call_that_another_budget_refuses_is_returned() {
        let budget = Budget::new().tool_calls(1).http_requests(1);
        for _ in 0..3 {
            assert_eq!((budget.take_tool_call(), budget.take_http_request()), (Ok(()), Ok(())));
            budget.return_tool_call();
            budget.return_http_request();
        }
        assert_eq!(budget.state().tool_calls, Some(BudgetUsage::new(1, 0)));
    }

    #[test]
    fn time_is_taken_in_parts_and_the_rest_is_returned() {
        let budget = Budget::new().time(TIME_PART * 3);
        let mut first = budget.begin_time().unwrap().unwrap();
        let second = budget.begin_time().unwrap().unwrap();
        assert_eq!(used(&budget), TIME_PART * 2);
        assert!(first.reserve_more(TIME_PART));
        // Nothing is left that is not reserved.
        let error = budget.begin_time().unwrap_err().to_string();
        assert!(error.contains("the budget for time") && error.contains("150ms of 150ms"), "{error}");
        assert!(!first.reserve_more(TIME_PART * 2));
        drop(second);
        assert!(first.reserve_more(TIME_PART * 2));
        assert!(used(&budget) <= TIME_PART * 3);
        // What has passed is used, also if there was no time for it.
        first.end(TIME_PART * 4);
        assert!(used(&budget) >= TIME_PART * 4);
        assert!(matches!(budget.begin_time(), Err(Error::BudgetSpent { what: "time", .. })));
        assert!(Budget::new().begin_time().unwrap().is_none());
        assert!(Budget::new().time(Duration::ZERO).begin_time().is_err());
    }

    #[test]
    fn concurrent_runs_do_not_exceed_a_time_budget() {
        let limit = Duration::from_millis(500);
        let budget = Budget::new().time(limit);
        let begun = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    // Some begin again, as long as they can.
                    while let Ok(Some(mut time)) = budget.begin_time() {
                        while time.go_on() {
                            std::thread::sleep(time.until().saturating_duration_since(Instant::now()));
                        }
                    }
                });
            }
        });
        let counted = used(&budget);
        assert!(counted >= limit, "{counted:?}");
        // Threads are woken a little late, each of them each time.
        assert!(counted < limit * 2, "{counted:?} in {:?}", begun.elapsed());
    }

    /// A step of one of several runs.
    #[derive(Clone, Copy, Debug)]
    enum Step {
        Begin,
        /// The run of this number has come this many microseconds further.
        Pass(usize, u64),
        End(usize),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            Just(Step::Begin),
            (0..8_usize, 0..150_000_u64).prop_map(|(run, time)| Step::Pass(run, time)),
            (0..8_usize).prop_map(Step::End),
        ];
        proptest::collection::vec(step, 0..200)
    }

    proptest! {
        #[test]
        fn no_order_of_runs_gives_more_time_than_there_is(limit in 0..2_000_000_u64, steps in steps()) {
            let limit = Duration::from_micros(limit);
            let budget = Budget::new().time(limit);
            // Runs with the time that they have come to.
            let mut runs: Vec<(TimeUse, Duration)> = Vec::new();
            let (mut ended, mut unreserved) = (Duration::ZERO, Duration::ZERO);
            for step in steps {
                match step {
                    Step::Begin => {
                        let is_left = used(&budget) < limit;
                        let begun = budget.begin_time();
                        prop_assert_eq!(begun.is_ok(), is_left);
                        runs.extend(begun.ok().flatten().map(|time| (time, Duration::ZERO)));
                    }
                    Step::Pass(..) | Step::End(_) if runs.is_empty() => {}
                    Step::Pass(number, time) => {
                        let count = runs.len();
                        let (run, passed) = &mut runs[number % count];
                        *passed += Duration::from_micros(time);
                        if *passed >= run.reserved {
                            unreserved += *passed - run.reserved;
                            run.reserve_more(*passed);
                        }
                    }
                    Step::End(number) => {
                        let (mut run, passed) = runs.remove(number % runs.len());
                        run.end(passed);
                        ended += passed;
                        // Its real time is none of this.
                        std::mem::forget(run);
                    }
                }
                let reserved: Duration = runs.iter().map(|(run, _)| run.reserved).sum();
                prop_assert_eq!(used(&budget), ended + reserved);
                // Only what has passed unnoticed is beyond the limit.
                prop_assert!(used(&budget) <= limit + unreserved);
            }
            std::mem::forget(runs);
        }
    }
}
