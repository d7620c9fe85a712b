//! One live guest, in which names persist from run to run.

use std::sync::{Arc, PoisonError};

use crate::{approve, guest_context::GuestContext, metrics::Metrics, options::RunOptions, run::Run, shared::Shared};
use isolette_engine::Guest;
use isolette_types::{DirectoryEntry, Error, ExecutionResult, SessionId};

/// A guest that keeps its globals, imports and `/tmp` from run to run, as at a prompt.
///
/// An exception in a program leaves the session alive. When a run is ended from outside (its time, a cancellation, no
/// memory left) the session ends with it, and every later run fails with [`Error::SessionEnded`].
#[derive(Debug)]
pub struct Session {
    identifier: SessionId,
    shared: Arc<Shared>,
    context: GuestContext,
    guest: Option<Guest>,
    ended: Option<&'static str>,
}

impl Session {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self, Error> {
        let context = shared.guest_context()?;
        let counted = shared.oversight.metrics.as_ref().map(Metrics::guest);
        let engine = Arc::clone(&shared.engine);
        let guest = Guest::start(engine, shared.policy.limits.memory, context.at_end(counted))?;
        Ok(Self { identifier: SessionId::random(), shared, context, guest: Some(guest), ended: None })
    }

    /// Tells it from every other session, in audits too.
    #[must_use]
    pub fn identifier(&self) -> SessionId {
        self.identifier
    }

    /// Runs a program in the session.
    ///
    /// # Errors
    /// As [`Sandbox::run`](crate::sandbox::Sandbox::run), and [`Error::SessionEnded`].
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

    /// Reads a file on a mount, `/output` included, by the path that programs know it by. `/tmp` is in the guest's own
    /// memory and cannot be looked into.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than `limit`
    /// bytes.
    pub fn read_file(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        self.context.files.read_whole(path, limit)
    }

    /// Writes a file on a mount that is writable, over what was there, and makes the directories that lead to it.
    ///
    /// It counts towards the limits on files of [`Limits`](isolette_policy::Limits) as if a program of the session had
    /// written it, and is not among the [`files`](ExecutionResult::files) of a run.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`], with the name of the limit, if the session may not write so much: then nothing was made,
    /// and what was there is there. [`Error::InvalidArgument`] if it cannot be written there.
    pub fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let mut quota = self.context.quota.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.files.write_whole(path, bytes, &mut quota)
    }

    /// What is in a directory on a mount, sorted, and whether there is more than the 10,000 entries that are listed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such directory.
    pub fn list_files(&self, path: &str) -> Result<(Vec<DirectoryEntry>, bool), Error> {
        self.context.files.list_whole(path)
    }

    /// Whether a run has ended it, so that there can be no other.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.ended.is_some() || self.guest.is_none()
    }

    fn prepare(&self, code: &str, options: RunOptions) -> Result<Run, Error> {
        match (&self.guest, self.ended) {
            (Some(guest), None) => Run::start(&self.shared, &self.context, guest, code, options, Some(self.identifier)),
            (_, reason) => Err(Error::SessionEnded { reason: reason.unwrap_or("its guest is gone").into() }),
        }
    }

    fn note(&mut self, result: &Result<ExecutionResult, Error>) {
        if let Err(error) = result
            && error.partial().is_some()
        {
            self.ended = Some(match error {
                Error::Timeout { .. } => "a run took longer than its limit",
                Error::CpuTime { .. } | Error::Sleep { .. } | Error::HostCallRate { .. } | Error::AuditLimit { .. } => {
                    "a run went over a limit"
                }
                Error::Cancelled { .. } => "a run was cancelled",
                Error::OutOfMemory { .. } => "a run had no memory left",
                Error::StackOverflow { .. } => "a run was nested too deeply",
                Error::Audit { .. } => "the audit cannot be written",
                _ => "the guest crashed",
            });
            self.guest = None;
        }
    }
}
