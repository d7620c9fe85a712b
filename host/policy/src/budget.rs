//! Budgets that several runs share.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use isolette_types::{BudgetState, BudgetUsage, Error};

/// A budget that several runs share, for example those of a sandbox, of a session, or of one customer. Each part is
/// unlimited until its limit is set; the [`Limits`](crate::Limits) of each run apply in addition.
///
/// Clones share the same usage.
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
    microseconds: AtomicU64,
}

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

    /// Sets the total wall time of all runs. A run gets at most the time that remains when it starts, so concurrent
    /// runs can use more together. If no time remains, starting a run fails with [`Error::BudgetSpent`].
    #[must_use]
    pub fn time(mut self, limit: Duration) -> Self {
        self.time = Some(limit);
        self
    }

    /// Returns how much of each limited part is used. The time is in milliseconds.
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

    /// Returns the wall time that remains for a run. `None` if time is unlimited.
    ///
    /// # Errors
    /// [`Error::BudgetSpent`] if no time remains.
    pub fn time_remaining(&self) -> Result<Option<Duration>, Error> {
        let Some(limit) = self.time else { return Ok(None) };
        let used = Duration::from_micros(self.used.microseconds.load(Ordering::Relaxed));
        match limit.saturating_sub(used) {
            Duration::ZERO => Err(Error::BudgetSpent { what: "time", limit: format!("{limit:?}") }),
            left => Ok(Some(left)),
        }
    }

    /// Adds the wall time of a run to the time used.
    pub fn use_time(&self, time: Duration) {
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.used.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }
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

    #[test]
    fn time_runs_out() {
        let budget = Budget::new().time(Duration::from_millis(10));
        budget.use_time(Duration::from_millis(4));
        assert_eq!(budget.time_remaining().unwrap(), Some(Duration::from_millis(6)));
        budget.use_time(Duration::from_millis(7));
        assert!(matches!(budget.time_remaining(), Err(Error::BudgetSpent { what: "time", .. })));
    }
}
