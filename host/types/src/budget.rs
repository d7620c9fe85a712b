//! The state of budgets that runs share.

use serde::Serialize;

/// How much of a shared budget is used. A part without a limit is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetState {
    /// Tool calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<BudgetUsage>,
    /// HTTP requests, redirects included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_requests: Option<BudgetUsage>,
    /// Wall time of runs, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<BudgetUsage>,
}

/// The limit and the use of one part of a budget, in the unit of that part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetUsage {
    /// The limit.
    pub limit: u64,
    /// How much is used.
    pub used: u64,
}

impl BudgetUsage {
    /// Creates a part of which `used` of `limit` is used.
    #[must_use]
    pub fn new(limit: u64, used: u64) -> Self {
        Self { limit, used }
    }

    /// Returns how much remains; 0 if the limit is exceeded.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}
