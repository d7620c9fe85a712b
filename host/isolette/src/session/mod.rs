//! A session: one live guest whose state persists from run to run.

mod pauses;
mod snapshots;

use std::sync::{Arc, PoisonError};

use isolette_abi::Mode;

pub use self::pauses::SessionStep;
use crate::{
    guest_context::GuestContext,
    metrics::Metrics,
    options::RunOptions,
    paused::Parked,
    places::GuestPlace,
    program_approval,
    run::{Kind, Run},
    shared::Shared,
};
use isolette_engine::{AnnouncedGuest, Guest, GuestState};
use isolette_types::{DirectoryEntry, Error, ExecutionResult, SessionId};

/// A guest that keeps its globals, imports and `/tmp` from run to run, as at an interactive prompt.
///
/// An exception in a program does not end the session. If the host ends a run (timeout, cancellation, out of memory), the
/// session ends too, and every later run fails with [`Error::SessionEnded`], unless the run was to be rolled back
/// ([`RunOptions::rollback_on_error`]), the session is restored from a snapshot ([`Session::restore`]), or it takes over a paused
/// program ([`Session::continue_paused`]).
#[derive(Debug)]
pub struct Session {
    identifier: SessionId,
    shared: Arc<Shared>,
    context: GuestContext,
    guest: Option<Guest>,
    /// The program that waits for answers. Its guest is dropped before it.
    paused: Option<Parked>,
    ended: Option<&'static str>,
    /// The state that the session has, as long as no program has changed it.
    origin: Option<GuestState>,
    /// That its guest is going to continue from that state, until it does.
    announced: Option<AnnouncedGuest>,
    /// What the session returns to if the present program fails.
    before: Option<Before>,
}

/// A session before a program, for a rollback.
#[derive(Debug)]
struct Before {
    state: GuestState,
    /// A program that was taken over brings a context of its own, with its own `/output`.
    context: GuestContext,
}

impl Session {
    pub(crate) fn open(shared: Arc<Shared>, place: Option<Arc<GuestPlace>>) -> Result<Self, Error> {
        let context = shared.guest_context(place)?;
        let initial = shared.engine.initial_state().cloned();
        let mut session = Self::with(shared, context, initial);
        session.start_guest()?;
        Ok(session)
    }

    fn with(shared: Arc<Shared>, context: GuestContext, origin: Option<GuestState>) -> Self {
        Self {
            identifier: SessionId::random(),
            shared,
            context,
            guest: None,
            paused: None,
            ended: None,
            origin,
            announced: None,
            before: None,
        }
    }

    /// Starts a guest, in the state of the session if it has one that was saved.
    fn start_guest(&mut self) -> Result<(), Error> {
        let counted = self.shared.oversight.metrics.as_ref().map(Metrics::guest);
        let (engine, memory) = (Arc::clone(&self.shared.engine), self.shared.policy.limits.memory);
        let (state, announced) = (self.origin.clone(), self.announced.take());
        self.guest = Some(Guest::start(engine, memory, state, announced, self.context.at_end(counted))?);
        Ok(())
    }

    /// The session as it is, with a state that was saved of it.
    fn with_state(&self, state: GuestState) -> Before {
        Before { state, context: self.context.clone() }
    }

    /// Returns to a state. The guest of it starts with the next program.
    fn return_to(&mut self, before: Before) {
        self.guest = None;
        self.paused = None;
        self.announced = None;
        self.context = before.context.for_next_guest(None);
        self.origin = Some(before.state);
        self.ended = None;
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
        self.run_as(Manner::Whole, code, options)
    }

    /// Runs the set-up program of an image.
    pub(crate) fn set_up(&mut self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        self.run_as(Manner::SetUp, code, options)
    }

    fn run_as(&mut self, manner: Manner, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        let run = self.begin(manner, code, options)?;
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
        let run = self.begin_async(Manner::Whole, code, options).await?;
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
        // A run that was given up is rolled back before the next one.
        self.before.is_none() && (self.ended.is_some() || (self.guest.is_none() && self.origin.is_none()))
    }

    /// Rolls back a run that was given up.
    fn settle(&mut self) {
        // Without an end, it was prepared for a run that did not begin.
        if let (Some(_), Some(before)) = (self.ended, self.before.take()) {
            self.return_to(before);
        }
    }

    /// Asks for approval of a program, keeps the state before it if it may be rolled back, and begins it.
    fn begin(&mut self, manner: Manner, code: &str, options: RunOptions) -> Result<Run, Error> {
        self.check_not_paused()?;
        program_approval::blocking(&self.shared, code, &options)?;
        self.settle();
        self.before = if options.rollback_on_error { Some(self.with_state(self.saved()?)) } else { None };
        self.begin_approved(manner, code, options)
    }

    /// As [`Session::begin`], for asynchronous callers.
    async fn begin_async(&mut self, manner: Manner, code: &str, options: RunOptions) -> Result<Run, Error> {
        self.check_not_paused()?;
        if let Some(question) = program_approval::question(&self.shared, code, &options)? {
            question.await?;
        }
        self.settle();
        self.before = match options.rollback_on_error {
            true => Some(self.with_state(self.saved_async().await?)),
            false => None,
        };
        self.begin_approved(manner, code, options)
    }

    /// Starts the guest, if that has not been done, and begins a run.
    fn begin_approved(&mut self, manner: Manner, code: &str, options: RunOptions) -> Result<Run, Error> {
        if self.guest.is_none() && self.origin.is_some() && self.ended.is_none() {
            // A guest that could not be started has released what it did not have yet.
            self.context = self.context.for_next_guest(None);
            self.start_guest()?;
        }
        let mode = match self.origin {
            _ if manner == Manner::SetUp => Mode::SetUp,
            Some(_) => Mode::Copy,
            None => Mode::Session,
        };
        let can_pause = manner == Manner::Pausable && self.shared.selected.engine.saves_states();
        let kind = Kind { session: Some(self.identifier), mode, can_pause };
        match (&self.guest, self.ended) {
            (Some(guest), None) => Run::start(&self.shared, &self.context, guest, code, options, kind),
            (_, reason) => Err(Error::SessionEnded { reason: reason.unwrap_or("its guest is gone").into() }),
        }
    }

    /// Notes how a run ended: whether the session continues from the state after it, from that before it, or not at all.
    fn note(&mut self, result: &mut Result<ExecutionResult, Error>) {
        let before = self.before.take();
        let (has_failed, ended) = match &*result {
            Ok(result) => (result.error.is_some(), None),
            // No program has run. A guest that could not be started is started again for the next one.
            Err(error) if error.partial().is_none() => {
                if self.origin.is_some() {
                    self.guest = None;
                }
                return;
            }
            Err(error) => (true, Some(ending(error))),
        };
        if has_failed && let Some(before) = before {
            self.return_to(before);
            if let Some(result) = result.as_mut().map_or_else(Error::partial_mut, Some) {
                result.rolled_back = true;
            }
            return;
        }
        self.origin = None;
        if ended.is_some() {
            self.guest = None;
            self.ended = ended;
        }
    }
}

/// How a program is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// To its end.
    Whole,
    /// To its end, or until it waits for answers.
    Pausable,
    /// As the set-up of an image.
    SetUp,
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
        Error::BudgetSpent { .. } => "a run used up the time that runs share",
        Error::OutOfMemory { .. } => "a run had no memory left",
        Error::StackOverflow { .. } => "a run was nested too deeply",
        Error::Audit { .. } => "the audit cannot be written",
        _ => "the guest crashed",
    }
}
