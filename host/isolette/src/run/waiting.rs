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
    pub(super) fn new(context: Context) -> Result<Self, Error> {
        context.note(RunAudit::paused);
        let written = context.wait_for_audit();
        Self::unless_unrecorded(context, written)
    }

    /// As [`Waiting::new`], for asynchronous callers.
    pub(super) async fn new_async(context: Context) -> Result<Self, Error> {
        context.note(RunAudit::paused);
        let written = match &context.oversight.audit {
            Some(audit) => audit.written().await.map_err(|reason| Error::Audit { reason, partial: None }),
            None => Ok(()),
        };
        Self::unless_unrecorded(context, written)
    }

    fn unless_unrecorded(context: Context, written: Result<(), Error>) -> Result<Self, Error> {
        match written {
            Ok(()) => Ok(Self::again(context)),
            Err(error) => Err(context.conclude(Signal::Abandoned(Stop::Unrecorded)).err().unwrap_or(error)),
        }
    }

    /// A run that waits still, or again.
    pub(super) fn again(context: Context) -> Self {
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
        self.context.charge_time();
        self.context.note(RunAudit::leave);
        if let Some(live) = self.context.live.take() {
            live.leave();
        }
        let mut record = self.context.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.forget_open_calls();
    }
}
