//! A session: one live guest whose state persists from run to run.

mod snapshots;

use std::sync::{Arc, PoisonError};

use crate::{
    guest_context::GuestContext,
    metrics::Metrics,
    options::RunOptions,
    program_approval,
    run::{Cell, Run},
    shared::Shared,
};
use isolette_engine::{Guest, GuestState};
use isolette_types::{DirectoryEntry, Error, ExecutionResult, SessionId};

/// A guest that keeps its globals, imports and `/tmp` from run to run, as at an interactive prompt.
///
/// An exception in a program does not end the session. If the host ends a run (timeout, cancellation, out of memory), the
/// session ends too, and every later run fails with [`Error::SessionEnded`], unless the run was to be rolled back
/// ([`RunOptions::rollback_on_error`]) or the session is restored from a snapshot ([`Session::restore`]).
#[derive(Debug)]
pub struct Session {
    identifier: SessionId,
    shared: Arc<Shared>,
    context: GuestContext,
    guest: Option<Guest>,
    ended: Option<&'static str>,
    /// The state from which the next guest continues, while there is no guest.
    origin: Option<Origin>,
}

#[derive(Debug)]
struct Origin {
    state: GuestState,
    /// Whether other guests may continue from the same state.
    is_copy: bool,
}

impl Session {
    pub(crate) fn start(shared: Arc<Shared>) -> Result<Self, Error> {
        let context = shared.guest_context()?;
        let mut session =
            Self { identifier: SessionId::random(), shared, context, guest: None, ended: None, origin: None };
        session.start_guest(None)?;
        Ok(session)
    }

    /// Starts a guest, which continues from a state if there is one.
    fn start_guest(&mut self, state: Option<GuestState>) -> Result<(), Error> {
        let counted = self.shared.oversight.metrics.as_ref().map(Metrics::guest);
        let (engine, memory) = (Arc::clone(&self.shared.engine), self.shared.policy.limits.memory);
        self.guest = Some(Guest::start(engine, memory, state, self.context.at_end(counted))?);
        Ok(())
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
        let mut result = run.wait();
        self.note(&mut result);
        result
    }

    /// Like [`Session::run_with`], for asynchronous callers. Dropping the future cancels the run and ends the session,
    /// unless the run was to be rolled back.
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
        let mut result = run.wait_async().await;
        self.ended = None;
        self.note(&mut result);
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
        self.origin.is_none() && (self.ended.is_some() || self.guest.is_none())
    }

    /// The guest, if the session has not ended.
    fn guest(&self) -> Result<&Guest, Error> {
        match (&self.guest, self.ended) {
            (Some(guest), None) => Ok(guest),
            (_, reason) => Err(Error::SessionEnded { reason: reason.unwrap_or("its guest is gone").into() }),
        }
    }

    fn prepare(&mut self, code: &str, options: RunOptions) -> Result<Run, Error> {
        let mut is_copy = false;
        if let Some(origin) = self.origin.take() {
            self.context = self.context.for_next_guest(None);
            self.start_guest(Some(origin.state))?;
            (self.ended, is_copy) = (None, origin.is_copy);
        }
        let before =
            if options.rollback_on_error { Some(self.guest()?.save().map_err(snapshots::unavailable)?) } else { None };
        let cell = Cell { session: self.identifier, is_copy };
        let run = Run::start(&self.shared, &self.context, self.guest()?, code, options, Some(cell))?;
        self.origin = before.map(|state| Origin { state, is_copy: false });
        Ok(run)
    }

    /// Notes how a run ended: whether the next one continues from the state after it, from that before it, or not at all.
    fn note(&mut self, result: &mut Result<ExecutionResult, Error>) {
        let before = self.origin.take();
        let ended = match &*result {
            Ok(result) if result.error.is_none() => return,
            Ok(_) => None,
            Err(error) => error.partial().map(|_| ending(error)),
        };
        if let Some(before) = before {
            self.guest = None;
            self.origin = Some(before);
            if let Some(result) = result.as_mut().map_or_else(Error::partial_mut, Some) {
                result.rolled_back = true;
            }
        } else if ended.is_some() {
            self.guest = None;
            self.ended = ended;
        }
    }
}

/// Why a session ends with a run that ended with this error.
fn ending(error: &Error) -> &'static str {
    match error {
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
    }
}
