//! How much of a shared budget is used.

use serde::Serialize;

/// How much of a budget is used. A part without a limit is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetState {
    /// Calls of tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<BudgetUsage>,
    /// HTTP requests, redirects included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_requests: Option<BudgetUsage>,
    /// Wall time of runs, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<BudgetUsage>,
}

/// One part of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BudgetUsage {
    /// The limit.
    pub limit: u64,
    /// How much is used.
    pub used: u64,
}

impl BudgetUsage {
    /// So much used of a limit.
    #[must_use]
    pub fn new(limit: u64, used: u64) -> Self {
        Self { limit, used }
    }

    /// How much remains.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}
