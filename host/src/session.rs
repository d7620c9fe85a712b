//! One live guest, in which names persist from run to run.

use std::sync::Arc;

use isolette_abi::Mode;

use crate::{
    Error, approve,
    guest::Guest,
    options::RunOptions,
    outcome::ExecutionResult,
    run::Run,
    sandbox::{Shared, Surroundings},
};

/// A guest that keeps its globals, imports and `/tmp` from run to run, as at a prompt.
///
/// An exception in a program leaves the session alive. When a run is ended from outside (its time, a cancellation, no
/// memory left) the session ends with it, and every later run fails with [`Error::SessionEnded`].
#[derive(Debug)]
pub struct Session {
    shared: Arc<Shared>,
    surroundings: Surroundings,
    guest: Option<Guest>,
    ended: Option<&'static str>,
}

impl Session {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self, Error> {
        let surroundings = shared.surroundings()?;
        let guest = Guest::start(Arc::clone(&shared.engine), shared.policy.limits.memory)?;
        Ok(Self { shared, surroundings, guest: Some(guest), ended: None })
    }

    /// Runs a program in the session.
    ///
    /// # Errors
    /// As [`Sandbox::run`](crate::Sandbox::run), and [`Error::SessionEnded`].
    pub fn run(&mut self, code: &str) -> Result<ExecutionResult, Error> {
        self.run_with(code, RunOptions::default())
    }

    /// Runs a program in the session, with options.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run_with(&mut self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        approve::blocking(&self.shared, code, &options)?;
        let run = self.prepare(code, options)?;
        let result = run.wait();
        self.note(&result);
        result
    }

    /// Like [`Session::run_with`], for asynchronous callers. Dropping the future cancels the run and ends the session.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub async fn run_async(&mut self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        if let Some(question) = approve::question(&self.shared, code, &options)? {
            question.await?;
        }
        let run = self.prepare(code, options)?;
        // If this future is dropped, nobody hears how the run ended.
        self.ended = Some("a run was given up");
        let result = run.wait_async().await;
        self.ended = None;
        self.note(&result);
        result
    }

    fn prepare(&self, code: &str, options: RunOptions) -> Result<Run, Error> {
        match (&self.guest, self.ended) {
            (Some(guest), None) => Run::start(&self.shared, &self.surroundings, guest, code, options, Mode::Session),
            (_, reason) => Err(Error::SessionEnded { reason: reason.unwrap_or("its guest is gone").into() }),
        }
    }

    fn note(&mut self, result: &Result<ExecutionResult, Error>) {
        if let Err(error) = result
            && error.partial().is_some()
        {
            self.ended = Some(match error {
                Error::Timeout { .. } => "a run took longer than its limit",
                Error::Cancelled { .. } => "a run was cancelled",
                Error::OutOfMemory { .. } => "a run had no memory left",
                Error::StackOverflow { .. } => "a run was nested too deeply",
                _ => "the guest crashed",
            });
            self.guest = None;
        }
    }
}
