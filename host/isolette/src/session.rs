//! A session: one live guest whose state persists from run to run.

use std::sync::{Arc, PoisonError};

use crate::{
    guest_context::GuestContext, metrics::Metrics, options::RunOptions, program_approval, run::Run, shared::Shared,
};
use isolette_engine::Guest;
use isolette_types::{DirectoryEntry, Error, ExecutionResult, SessionId};

/// A guest that keeps its globals, imports and `/tmp` from run to run, as at an interactive prompt.
///
/// An exception in a program does not end the session. If the host ends a run (timeout, cancellation, out of memory),
/// the session ends too, and every later run fails with [`Error::SessionEnded`].
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

    /// The identifier of the session, unique among all sessions; audit records contain it.
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
        program_approval::blocking(&self.shared, code, &options)?;
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
        if let Some(question) = program_approval::question(&self.shared, code, &options)? {
            question.await?;
        }
        let run = self.prepare(code, options)?;
        // If this future is dropped, the outcome of the run is lost.
        self.ended = Some("a run was given up");
        let result = run.wait_async().await;
        self.ended = None;
        self.note(&result);
        result
    }

    /// Reads a file on a mount, `/output` included, by its path in the guest. `/tmp` is in the guest's own memory and
    /// cannot be read.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than
    /// `limit` bytes.
    pub fn read_file(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
        self.context.files.read_whole(path, limit)
    }

    /// Writes a file on a writable mount, replaces its previous content, and creates missing parent directories.
    ///
    /// The file counts towards the file limits of [`Limits`](isolette_policy::Limits) as if a program of the session
    /// had written it. It is not listed in the [`files`](ExecutionResult::files) of a run.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`], with the name of the limit, if the session may not write that much; nothing is changed
    /// then. [`Error::InvalidArgument`] if the path cannot be written.
    pub fn write_file(&self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let mut quota = self.context.quota.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.files.write_whole(path, bytes, &mut quota)
    }

    /// Lists a directory on a mount, sorted by name. The second value says whether there are more entries than the
    /// 10,000 that are listed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such directory.
    pub fn list_files(&self, path: &str) -> Result<(Vec<DirectoryEntry>, bool), Error> {
        self.context.files.list_whole(path)
    }

    /// Whether the session has ended, so that no further run is possible.
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
                Error::Timeout { .. } => "a run took longer than its timeout",
                Error::CpuTimeExceeded { .. }
                | Error::SleepExceeded { .. }
                | Error::HostCallRateExceeded { .. }
                | Error::AuditBytesExceeded { .. } => "a run went over a limit",
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
