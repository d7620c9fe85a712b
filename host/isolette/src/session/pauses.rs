//! Programs of a session that wait for answers.

use std::path::Path;

use isolette_types::{Answer, Error, ExecutionResult, PausedCall};

use super::{Manner, Session};
use crate::{
    options::RunOptions,
    paused::{Parked, SavedRun},
    run::{Advance, Run, Waiting},
    snapshot::SnapshotKey,
};

/// How far a program of a session has come.
#[must_use]
#[derive(Debug)]
#[non_exhaustive]
#[expect(clippy::large_enum_variant, reason = "it is moved once for each pause")]
pub enum SessionStep {
    /// It has ended, and the session can run the next one.
    Done(ExecutionResult),
    /// It waits for the answers to [`Session::paused_calls`].
    Paused,
}

impl Session {
    /// Runs a program in the session until it ends, or until it waits for the answer to a call of a deferred tool
    /// ([`Tool::deferred`](crate::Tool::deferred)) or to a deferred approval.
    ///
    /// ```no_run
    /// use isolette::{Answer, Isolation, Sandbox, SessionStep, Tool};
    /// # use serde_json::json;
    ///
    /// let ask = Tool::deferred("ask", "Asks a person", json!({ "type": "object" }))?;
    /// let mut session = Sandbox::builder().isolation(Isolation::Process).tool(ask).build()?.session()?;
    /// let mut step = session.start("answer = call_tool('ask', question='May I?')")?;
    /// while let SessionStep::Paused = step {
    ///     assert_eq!(session.paused_calls()[0].arguments["question"], "May I?");
    ///     step = session.resume(Answer::Value(json!("yes")))?;
    /// }
    /// assert_eq!(session.run("answer")?.value, Some(json!("yes")));
    /// # Ok::<(), isolette::Error>(())
    /// ```
    ///
    /// While it waits, its guest uses no processor, its wall time does not pass, and the session runs no other program. To end it,
    /// cancel it ([`RunOptions::cancel`]) and resume it, [restore](Session::restore) the session, or drop it; the last two leave a
    /// program that was saved to its file, unless that is [gone](Session::forget_paused_file).
    ///
    /// # Errors
    /// As of [`Session::run`].
    pub fn start(&mut self, code: &str) -> Result<SessionStep, Error> {
        self.start_with(code, RunOptions::default())
    }

    /// Runs a program with options, as [`Session::start`] does.
    ///
    /// # Errors
    /// As of [`Session::run`].
    pub fn start_with(&mut self, code: &str, options: RunOptions) -> Result<SessionStep, Error> {
        let run = self.begin(Manner::Pausable, code, options)?;
        let advance = run.advance();
        self.advanced(advance)
    }

    /// Like [`Session::start_with`], for asynchronous callers. Dropping the future cancels the run and ends the session,
    /// unless the run was to be rolled back.
    ///
    /// # Errors
    /// As of [`Session::run`].
    pub async fn start_async(&mut self, code: &str, options: RunOptions) -> Result<SessionStep, Error> {
        let run = self.begin_async(Manner::Pausable, code, options).await?;
        let advance = self.advance_async(run).await;
        self.advanced(advance)
    }

    /// The calls that wait for an answer, in the order in which the program made them: several if it made several at once.
    /// None if no program waits.
    #[must_use]
    pub fn paused_calls(&self) -> &[PausedCall] {
        self.paused.as_ref().map(Parked::calls).unwrap_or_default()
    }

    /// Answers the first of [`Session::paused_calls`] and continues the program, until it ends or waits again: for the other
    /// calls, if there are any that it needs.
    ///
    /// # Errors
    /// As of [`Session::run`]; [`Error::InvalidArgument`] if no program waits.
    pub fn resume(&mut self, answer: Answer) -> Result<SessionStep, Error> {
        let answers = self.paused.as_ref().ok_or_else(nothing_waits)?.to_first(answer);
        self.resume_with(answers)
    }

    /// Answers some of [`Session::paused_calls`], by their [`id`](PausedCall::id), and continues the program.
    ///
    /// # Errors
    /// As of [`Session::resume`]; [`Error::InvalidArgument`] if there is no such call: the program still waits then.
    pub fn resume_with(&mut self, answers: Vec<(u64, Answer)>) -> Result<SessionStep, Error> {
        let advance = self.resumed(answers)?.advance();
        self.check_started(&advance);
        self.advanced(advance)
    }

    /// Like [`Session::resume_with`], for asynchronous callers. Dropping the future cancels the run, as that of
    /// [`Session::start_async`].
    ///
    /// # Errors
    /// As of [`Session::resume_with`].
    pub async fn resume_async(&mut self, answers: Vec<(u64, Answer)>) -> Result<SessionStep, Error> {
        let run = self.resumed(answers)?;
        let advance = self.advance_async(run).await;
        self.check_started(&advance);
        self.advanced(advance)
    }

    /// Saves the session with the program that waits as a file, with the key of the present user, as
    /// [`PausedRun::save`](crate::PausedRun::save) does. Both still wait here, too; if the session is dropped instead, its program
    /// is left to the file.
    ///
    /// # Errors
    /// As of [`PausedRun::save`](crate::PausedRun::save); [`Error::InvalidArgument`] if no program waits.
    pub fn save_paused(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_paused_with(path, &SnapshotKey::of_user()?)
    }

    /// Like [`Session::save_paused`], with a key of the caller's.
    ///
    /// # Errors
    /// As of [`Session::save_paused`].
    pub fn save_paused_with(&mut self, path: impl AsRef<Path>, key: &SnapshotKey) -> Result<(), Error> {
        let (paused, guest) = self.paused.as_mut().zip(self.guest.as_ref()).ok_or_else(nothing_waits)?;
        paused.save(guest, |snapshot| snapshot.save_with(path, key))
    }

    /// Returns the bytes of the file that [`Session::save_paused`] writes, with a key of the caller's.
    ///
    /// # Errors
    /// As of [`Session::save_paused`].
    pub fn paused_to_bytes(&mut self, key: &SnapshotKey) -> Result<Vec<u8>, Error> {
        let (paused, guest) = self.paused.as_mut().zip(self.guest.as_ref()).ok_or_else(nothing_waits)?;
        paused.save(guest, |snapshot| snapshot.to_bytes(key))
    }

    /// Says that the file is gone that the program was saved to: dropping the session ends it again.
    pub fn forget_paused_file(&mut self) {
        if let Some(paused) = &mut self.paused {
            paused.forget_file();
        }
    }

    /// Takes a paused program over that was saved, in this process or another one, with the names, modules, `/tmp` and temporary
    /// `/output` that it had around it. They take the place of what the session has now, to which it returns if the program fails
    /// and is to be rolled back. A session that has ended is continued by the program. Everything else is as with
    /// [`Sandbox::paused_from`](crate::Sandbox::paused_from).
    ///
    /// # Errors
    /// As of [`Sandbox::paused_from`](crate::Sandbox::paused_from): the session is then as before. [`Error::InvalidArgument`] if one
    /// of its programs waits already; [`Error::SessionEnded`] if there is no state to return to.
    pub fn continue_paused(&mut self, saved: &SavedRun, options: RunOptions) -> Result<(), Error> {
        self.check_not_paused()?;
        self.settle();
        let before = if options.rollback_on_error { Some(self.with_state(self.saved()?)) } else { None };
        let context = self.shared.guest_context_from(saved.snapshot().system(), self.context.place())?;
        let (session, state) = (Some(self.identifier), saved.state().clone());
        let (waiting, guest) = Waiting::load(&self.shared, &context, session, saved.snapshot(), state, options)?;
        self.guest = Some(guest);
        (self.context, self.before, self.announced, self.origin, self.ended) = (context, before, None, None, None);
        self.paused = Some(Parked::saved(Box::new(waiting)));
        Ok(())
    }

    /// Fails if a program waits for answers.
    pub(super) fn check_not_paused(&self) -> Result<(), Error> {
        match self.paused {
            None => Ok(()),
            Some(_) => Err(Error::invalid(
                "a program of the session waits for answers",
                "resume it first, or cancel it and resume it then",
            )),
        }
    }

    fn resumed(&mut self, answers: Vec<(u64, Answer)>) -> Result<Run, Error> {
        let (paused, guest) = self.paused.as_mut().zip(self.guest.as_ref()).ok_or_else(nothing_waits)?;
        let run = paused.resume(guest, answers)?;
        self.paused = None;
        Ok(run)
    }

    async fn advance_async(&mut self, run: Run) -> Result<Advance, Error> {
        // If this future is dropped, the outcome of the run is lost.
        self.ended = Some("a run was given up");
        let advance = run.advance_async().await;
        self.ended = None;
        advance
    }

    /// Notes that the guest of a program from a file could not be started: then the session has lost the program's state.
    fn check_started(&mut self, advance: &Result<Advance, Error>) {
        if !matches!(advance, Err(error) if error.partial().is_none()) {
            return;
        }
        match self.before.take() {
            Some(before) => self.return_to(before),
            None => (self.guest, self.ended) = (None, Some("its guest could not be started")),
        }
    }

    /// Notes how far a program has come.
    fn advanced(&mut self, advance: Result<Advance, Error>) -> Result<SessionStep, Error> {
        let mut result = match advance {
            Ok(Advance::Paused(waiting)) => {
                // The state before the program is kept only for a rollback.
                self.origin = None;
                self.paused = Some(Parked::new(waiting));
                return Ok(SessionStep::Paused);
            }
            Ok(Advance::Done(result)) => Ok(result),
            Err(error) => Err(error),
        };
        self.note(&mut result);
        result.map(SessionStep::Done)
    }
}

fn nothing_waits() -> Error {
    Error::invalid("no program of the session waits for answers", "start one with `Session::start`")
}
