//! The outcomes of programs in their guests.

use isolette::{Error, ExecutionResult, PausedRun, SessionStep, Step};

use crate::{
    failure::{ErrorDetail, Failure, detail},
    run::{Phase, RunState},
};

/// The outcome of a program in its guest: it has ended, is paused, or has not begun.
#[expect(clippy::large_enum_variant, reason = "it is moved once for each run")]
pub(super) enum Outcome {
    Ended(Result<ExecutionResult, Error>),
    Paused(PausedRun),
    /// The program is paused in the session of its context.
    PausedInContext,
    /// The program has not begun.
    Refused(Failure),
}

impl Outcome {
    pub(super) fn of(step: Result<Step, Error>) -> Self {
        match step {
            Ok(Step::Done(result)) => Self::Ended(Ok(result)),
            Ok(Step::Paused(paused)) => Self::Paused(paused),
            Ok(_) => Self::unknown(),
            Err(error) => Self::Ended(Err(error)),
        }
    }

    pub(super) fn in_session(step: Result<SessionStep, Error>) -> Self {
        match step {
            Ok(SessionStep::Done(result)) => Self::Ended(Ok(result)),
            Ok(SessionStep::Paused) => Self::PausedInContext,
            Ok(_) => Self::unknown(),
            Err(error) => Self::Ended(Err(error)),
        }
    }

    fn unknown() -> Self {
        Self::Refused(Failure::invalid("the program is in a state that is not known", "report it"))
    }

    /// The end of a run. One that is paused has not ended, and counts as cancelled.
    pub(super) fn end(self) -> Phase {
        match self {
            Self::Ended(Ok(result)) => {
                let state = if result.success() { RunState::Succeeded } else { RunState::Failed };
                Phase::Ended { state, result: json(&result), error: None }
            }
            Self::Ended(Err(error)) => {
                let state = match error {
                    Error::Cancelled { .. } => RunState::Cancelled,
                    _ => RunState::Failed,
                };
                Phase::Ended { state, result: error.partial().and_then(json), error: Some(detail(&error)) }
            }
            Self::Refused(failure) => refused(failure.detail()),
            Self::Paused(_) | Self::PausedInContext => refused(detail(&cancelled())),
        }
    }
}

fn refused(error: ErrorDetail) -> Phase {
    let state = if error.kind == "Cancelled" { RunState::Cancelled } else { RunState::Failed };
    Phase::Ended { state, result: None, error: Some(error) }
}

fn json(result: &ExecutionResult) -> Option<String> {
    serde_json::to_string(result).ok()
}

pub(super) fn cancelled() -> Error {
    Error::Cancelled { partial: Box::default() }
}
