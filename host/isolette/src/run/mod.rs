//! A run, from the request to the result.

mod changes;
mod context;
mod ending;
mod finished;
mod message;
mod saved;
mod saved_output;
mod start;
mod time_budgets;
mod waiting;

use isolette_abi::Mode;
use isolette_engine::{Pending, Signal};
use isolette_types::{Error, ExecutionResult, SessionId};

use self::context::Context;
pub(crate) use self::{saved::RunState, waiting::Waiting};

/// What a run is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// The session that it is one of.
    pub(crate) session: Option<SessionId>,
    /// What its program starts with.
    pub(crate) mode: Mode,
    /// Whether the caller can answer calls of deferred tools.
    pub(crate) can_pause: bool,
}

/// How far a run has come.
#[expect(clippy::large_enum_variant, reason = "it is moved once")]
pub(crate) enum Advance {
    Done(ExecutionResult),
    Paused(Box<Waiting>),
}

/// A run in flight.
pub(crate) struct Run {
    pending: Pending,
    context: Context,
}

impl Run {
    pub(crate) fn wait(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait();
        self.context.conclude(signal)
    }

    /// Waits until the program ends or is paused.
    pub(crate) fn advance(self) -> Result<Advance, Error> {
        match self.pending.wait() {
            Signal::Paused => Waiting::new(self.context).map(|waiting| Advance::Paused(Box::new(waiting))),
            signal => self.context.conclude(signal).map(Advance::Done),
        }
    }

    pub(crate) async fn wait_async(self) -> Result<ExecutionResult, Error> {
        let signal = self.pending.wait_async().await?;
        self.context.conclude_async(signal).await
    }

    /// Waits until the program ends or is paused, for asynchronous callers.
    pub(crate) async fn advance_async(self) -> Result<Advance, Error> {
        match self.pending.wait_async().await? {
            Signal::Paused => {
                let waiting = Waiting::new_async(self.context).await?;
                Ok(Advance::Paused(Box::new(waiting)))
            }
            signal => self.context.conclude_async(signal).await.map(Advance::Done),
        }
    }
}
