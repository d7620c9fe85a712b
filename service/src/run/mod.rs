//! Runs of programs: their state, their output, and their calls that wait for answers.

mod calls;
mod live;
mod log;
mod registry;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::spec::Environment;

pub(crate) use self::{
    live::{LiveRun, Phase, Progress},
    log::{Event, Log, Reader},
    registry::LiveRuns,
};

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunState {
    /// Waits for its context and its turn.
    Queued,
    /// Runs, or waits for answers in its context.
    Running,
    /// Waits for answers, and uses no processor and no time.
    Paused,
    /// Came to its end without an exception, with exit code 0.
    Succeeded,
    /// Ended with an exception, another exit code or at a limit, or could not begin.
    Failed,
    /// Was cancelled.
    Cancelled,
    /// Ran when the server was ended.
    Lost,
}

impl RunState {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
        }
    }

    /// A state that the database has.
    pub(crate) fn stored(text: &str) -> Self {
        [Self::Queued, Self::Running, Self::Paused, Self::Succeeded, Self::Failed, Self::Cancelled]
            .into_iter()
            .find(|state| state.as_str() == text)
            .unwrap_or(Self::Lost)
    }
}

/// A program, as it is stored until it has run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredRequest {
    pub(crate) code: String,
    pub(crate) language: String,
    /// What the program may do, if it runs outside of sandboxes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spec: Option<crate::spec::SandboxSpec>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub(crate) variables: serde_json::Map<String, serde_json::Value>,
    /// Variables of the environment, for this program only.
    #[serde(default, skip_serializing_if = "Environment::is_empty")]
    pub(crate) environment: Environment,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filename: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rollback_on_error: bool,
    /// Whether the caller does not wait for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_background: bool,
}
