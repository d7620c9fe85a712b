//! Runs whose programs wait for answers.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use isolette_deadline::Stop;
use isolette_engine::{Guest, Signal};
use isolette_types::{Answer, Error, ExecutionResult, PausedCall};

use super::{Run, context::Context};
use crate::audit::RunAudit;

/// The end of a run whose pause cannot be recorded.
const UNRECORDED: Signal = Signal::Abandoned(Stop::Unrecorded);

/// A run whose program waits for answers.
pub(crate) struct Waiting {
    pub(super) context: Context,
    since: Instant,
}

impl Waiting {
    /// Notes that the program of a run waits, and waits until that is on record.
    ///
    /// # Errors
    /// [`Error::Audit`] if it cannot be written: the run has ended then.
    pub(super) fn new(mut context: Context) -> Result<Self, Error> {
        let since = Instant::now();
        context.time_budgets.stop();
        context.note(RunAudit::paused);
        match context.wait_for_audit() {
            Ok(()) => Ok(Self { context, since }),
            Err(error) => Err(context.conclude(UNRECORDED).err().unwrap_or(error)),
        }
    }

    /// As [`Waiting::new`], for asynchronous callers.
    pub(super) async fn new_async(mut context: Context) -> Result<Self, Error> {
        let since = Instant::now();
        context.time_budgets.stop();
        context.note(RunAudit::paused);
        let written = match &context.oversight.audit {
            Some(audit) => audit.written().await,
            None => Ok(()),
        };
        match written {
            Ok(()) => Ok(Self { context, since }),
            Err(reason) => {
                let error = Error::Audit { reason, partial: None };
                Err(context.conclude_async(UNRECORDED).await.err().unwrap_or(error))
            }
        }
    }

    /// A run that waits still, in another process.
    pub(super) fn again(mut context: Context) -> Self {
        context.time_budgets.stop();
        Self { context, since: Instant::now() }
    }

    /// The calls that the program waits for.
    pub(crate) fn calls(&self) -> Vec<PausedCall> {
        self.context.broker().paused_calls()
    }

    /// Takes answers. After an error, nothing has changed.
    pub(crate) fn take_answers(&self, answers: Vec<(u64, Answer)>) -> Result<(), Error> {
        self.context.broker().take_answers(answers)
    }

    /// Continues the program with the answers that it has got.
    pub(crate) fn resume(self, guest: &Guest) -> Run {
        let mut context = self.context;
        context.paused += self.since.elapsed();
        context.time_budgets.go_on(&context.oversight.budgets, &context.cancel);
        context.note(RunAudit::resumed);
        let host = Arc::clone(&context.broker);
        let pending = guest.resume(host, context.deadline.clone(), context.cancel.clone());
        Run { pending, context }
    }

    /// How long it has waited.
    pub(super) fn waited(&self) -> Duration {
        self.since.elapsed()
    }

    /// Ends the run without an answer.
    pub(crate) fn give_up(mut self) -> Result<ExecutionResult, Error> {
        self.context.paused += self.since.elapsed();
        self.context.conclude(Signal::Abandoned(Stop::Cancelled))
    }

    /// Forgets the run here, since it continues from a file.
    pub(crate) fn leave(mut self) {
        self.context.paused += self.since.elapsed();
        self.context.note(RunAudit::leave);
        if let Some(live) = self.context.live.take() {
            live.leave();
        }
        let mut record = self.context.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.forget_open_calls();
    }
}
