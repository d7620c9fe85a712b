//! Programs that wait for answers.

mod parked;
mod saved;

use std::{fmt, path::Path, sync::Arc};

use isolette_engine::Guest;
use isolette_types::{Answer, Error, ExecutionResult, PausedCall};

pub(crate) use self::parked::Parked;
pub use self::saved::SavedRun;
use crate::{
    options::RunOptions,
    run::{Advance, Run, Waiting},
    shared::Shared,
    snapshot::SnapshotKey,
};

/// How far a program has come.
#[must_use = "dropping a paused program ends it"]
#[derive(Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it is moved once or twice for each pause")]
pub enum Step {
    /// It has ended.
    Done(ExecutionResult),
    /// It waits for the answers to calls of deferred tools.
    Paused(PausedRun),
}

impl Step {
    /// Waits until a program ends or is paused.
    pub(crate) fn of(guest: Guest, run: Run) -> Result<Self, Error> {
        run.advance().map(|advance| Self::new(guest, advance))
    }

    /// Waits until a program ends or is paused, for asynchronous callers.
    pub(crate) async fn of_async(guest: Guest, run: Run) -> Result<Self, Error> {
        run.advance_async().await.map(|advance| Self::new(guest, advance))
    }

    fn new(guest: Guest, advance: Advance) -> Self {
        match advance {
            Advance::Done(result) => Self::Done(result),
            Advance::Paused(waiting) => Self::Paused(PausedRun::new(guest, Parked::new(waiting))),
        }
    }
}

/// A program that waits for the answers to one or more calls of deferred tools. Its guest uses no processor meanwhile, and its
/// wall time does not pass; its limits and budgets go on afterwards. A cancellation takes effect when it is resumed.
///
/// It can be saved ([`PausedRun::save`]) and continue in another process ([`SavedRun::load`]), days later. Dropping it ends the
/// program as if it was cancelled, unless it was saved. Like the end of any run, that waits until the audit is written.
#[must_use = "dropping a paused program ends it"]
pub struct PausedRun {
    /// `Some` until it is resumed. It ends before the run does.
    guest: Option<Guest>,
    parked: Parked,
}

impl fmt::Debug for PausedRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PausedRun").field("calls", &self.calls()).finish_non_exhaustive()
    }
}

impl PausedRun {
    fn new(guest: Guest, parked: Parked) -> Self {
        Self { guest: Some(guest), parked }
    }

    /// Continues a run that was saved.
    pub(crate) fn from_saved(shared: &Arc<Shared>, saved: &SavedRun, options: RunOptions) -> Result<Self, Error> {
        let place = shared.place(options.cancel.as_ref())?;
        let context = shared.guest_context_from(saved.snapshot().system(), place)?;
        let (waiting, guest) = Waiting::load(shared, &context, None, saved.snapshot(), saved.state().clone(), options)?;
        Ok(Self::new(guest, Parked::saved(Box::new(waiting))))
    }

    /// The calls that wait for an answer, in the order in which the program made them: several if it made several at once.
    /// None after the program was resumed.
    #[must_use]
    pub fn calls(&self) -> &[PausedCall] {
        self.parked.calls()
    }

    /// Answers the first of [`PausedRun::calls`] and continues the program, until it ends or waits again: for the other calls,
    /// if there are any that it needs.
    ///
    /// # Errors
    /// As of [`Sandbox::run`](crate::Sandbox::run); [`Error::InvalidArgument`] if the program was resumed before.
    pub fn resume(&mut self, answer: Answer) -> Result<Step, Error> {
        self.resume_with(self.parked.to_first(answer))
    }

    /// Answers some of [`PausedRun::calls`], by their [`id`](PausedCall::id), and continues the program.
    ///
    /// # Errors
    /// As of [`PausedRun::resume`]; [`Error::InvalidArgument`] if there is no such call: the program still waits then.
    pub fn resume_with(&mut self, answers: Vec<(u64, Answer)>) -> Result<Step, Error> {
        let (run, guest) = self.continued(answers)?;
        Step::of(guest, run)
    }

    /// Like [`PausedRun::resume_with`], for asynchronous callers. Dropping the future cancels the run.
    ///
    /// # Errors
    /// As of [`PausedRun::resume_with`].
    pub async fn resume_async(&mut self, answers: Vec<(u64, Answer)>) -> Result<Step, Error> {
        let (run, guest) = self.continued(answers)?;
        Step::of_async(guest, run).await
    }

    fn continued(&mut self, answers: Vec<(u64, Answer)>) -> Result<(Run, Guest), Error> {
        let guest = self.guest.take().ok_or_else(no_longer)?;
        match self.parked.resume(&guest, answers) {
            Ok(run) => Ok((run, guest)),
            Err(error) => {
                self.guest = Some(guest);
                Err(error)
            }
        }
    }

    /// Saves the program as a file, with the key of the present user ([`SnapshotKey::of_user`]). A file that exists is replaced
    /// as a whole; only this user can read the new one. The program still waits here, too, and can be resumed here; if it is
    /// dropped instead, it does not end, but is left to the file.
    ///
    /// The file contains the memory of the program, its output so far, and its calls; no rights, limits or budgets. A
    /// temporary `/output` is part of it, with at most 1,000 files and directories and 16 MiB.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be written; [`Error::Unavailable`] if the program holds resources of custom interfaces or
    /// locks on files, which exist only in the host, or if its temporary `/output` is too large; [`Error::InvalidArgument`] if it
    /// was resumed before.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path, &SnapshotKey::of_user()?)
    }

    /// Saves the program as a file, with a key of the caller's.
    ///
    /// # Errors
    /// As of [`PausedRun::save`].
    pub fn save_with(&mut self, path: impl AsRef<Path>, key: &SnapshotKey) -> Result<(), Error> {
        let guest = self.guest.as_ref().ok_or_else(no_longer)?;
        self.parked.save(guest, |snapshot| snapshot.save_with(path, key))
    }

    /// Returns the bytes of the file that [`PausedRun::save_with`] writes.
    ///
    /// # Errors
    /// As of [`PausedRun::save`].
    pub fn to_bytes(&mut self, key: &SnapshotKey) -> Result<Vec<u8>, Error> {
        let guest = self.guest.as_ref().ok_or_else(no_longer)?;
        self.parked.save(guest, |snapshot| snapshot.to_bytes(key))
    }

    /// Says that the file is gone that the program was saved to: dropping the program ends it again.
    pub fn forget_file(&mut self) {
        self.parked.forget_file();
    }
}

fn no_longer() -> Error {
    Error::invalid(
        "the program does not wait any more: it was resumed before",
        "use the step that `resume` has returned",
    )
}
