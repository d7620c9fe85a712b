//! The numbers in an outcome: what is missing from it, what the run used, and what remains.

use isolette::{BudgetState, ExecutionResult, LimitHit};
use isolette_agent::rendering::Rendered;
use schemars::JsonSchema;
use serde::Serialize;

/// Characters that are left out in the middle of what is too long to be read. The whole is a resource of the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Clipped {
    /// Of stdout.
    pub(crate) stdout: usize,
    /// Of stderr.
    pub(crate) stderr: usize,
    /// Of the value.
    pub(crate) value: usize,
    /// Of the error's traceback.
    pub(crate) traceback: usize,
    /// Of the error's message. The whole is in the traceback.
    pub(crate) message: usize,
}

/// What was lost because it was over its limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Truncated {
    /// Bytes that stdout lacks.
    pub(crate) stdout: u64,
    /// Bytes that stderr lacks.
    pub(crate) stderr: u64,
    /// The value was too long and is missing.
    pub(crate) value: bool,
    /// Bytes that the error's message and traceback lack.
    pub(crate) error: u64,
    /// More files were changed than are listed.
    pub(crate) files: bool,
}

/// What the run used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Usage {
    /// Milliseconds from its start to its end.
    pub(crate) wall_ms: f64,
    /// Calls of tools.
    pub(crate) tool_calls: u64,
    /// HTTP requests.
    pub(crate) http_requests: u64,
}

/// A limit of the run that cut something off or had something refused.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Reached {
    /// The key of the limit in the policy, such as `limits.tool_calls`.
    pub(crate) name: String,
    /// How much may be.
    pub(crate) limit: u64,
    /// How much there was, or would have been.
    pub(crate) used: u64,
}

/// What the run shares with others, as it was at its end. What has no limit is null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct BudgetUse {
    /// Calls of tools.
    pub(crate) tool_calls: Option<BudgetFigures>,
    /// HTTP requests.
    pub(crate) http_requests: Option<BudgetFigures>,
    /// Milliseconds of time.
    pub(crate) time_ms: Option<BudgetFigures>,
}

/// One part of a budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct BudgetFigures {
    /// How much there was.
    pub(crate) limit: u64,
    /// How much is gone.
    pub(crate) used: u64,
}

impl Clipped {
    /// `message` is the number of characters omitted from the error's message, which is cut separately.
    pub(crate) fn of(rendered: &Rendered, message: usize) -> Self {
        Self {
            stdout: rendered.stdout.omitted,
            stderr: rendered.stderr.omitted,
            value: rendered.value.as_ref().map_or(0, |value| value.omitted),
            traceback: rendered.error.as_ref().map_or(0, |error| error.omitted),
            message,
        }
    }
}

impl Truncated {
    pub(crate) fn of(result: &ExecutionResult) -> Self {
        let truncated = result.truncated;
        Self {
            stdout: truncated.stdout,
            stderr: truncated.stderr,
            value: truncated.value,
            error: truncated.error,
            files: truncated.files,
        }
    }
}

impl Usage {
    pub(crate) fn of(result: &ExecutionResult) -> Self {
        let usage = result.usage;
        Self { wall_ms: usage.wall_ms, tool_calls: usage.tool_calls, http_requests: usage.http_requests }
    }
}

impl From<&LimitHit> for Reached {
    fn from(limit_hit: &LimitHit) -> Self {
        Self { name: limit_hit.name.as_str().to_owned(), limit: limit_hit.limit, used: limit_hit.used }
    }
}

impl From<&BudgetState> for BudgetUse {
    fn from(state: &BudgetState) -> Self {
        let usage = |usage: Option<isolette::BudgetUsage>| {
            usage.map(|usage| BudgetFigures { limit: usage.limit, used: usage.used })
        };
        Self {
            tool_calls: usage(state.tool_calls),
            http_requests: usage(state.http_requests),
            time_ms: usage(state.time_ms),
        }
    }
}
