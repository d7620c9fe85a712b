//! The host's side of a paused program, until it is resumed.

use std::fmt;

use isolette_engine::Guest;
use isolette_types::{Answer, Error, PausedCall};

use super::no_longer;
use crate::{
    run::{Run, Waiting},
    snapshot::Snapshot,
};

/// A run that waits for answers. Dropping it ends the run as if it was cancelled, unless it was saved: then it is left to the file.
/// Its guest is dropped before.
pub(crate) struct Parked {
    calls: Vec<PausedCall>,
    /// `Some` until it is resumed.
    waiting: Option<Box<Waiting>>,
    is_saved: bool,
}

impl fmt::Debug for Parked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Parked").field("calls", &self.calls).finish_non_exhaustive()
    }
}

impl Parked {
    pub(crate) fn new(waiting: Box<Waiting>) -> Self {
        Self { calls: waiting.calls(), waiting: Some(waiting), is_saved: false }
    }

    /// A run from a file, which is still there.
    pub(crate) fn saved(waiting: Box<Waiting>) -> Self {
        let mut parked = Self::new(waiting);
        parked.is_saved = true;
        parked
    }

    /// The calls that wait, or none after it was resumed.
    pub(crate) fn calls(&self) -> &[PausedCall] {
        &self.calls
    }

    /// The answer with the number of the first call.
    pub(crate) fn to_first(&self, answer: Answer) -> Vec<(u64, Answer)> {
        vec![(self.calls.first().map_or(0, |call| call.id), answer)]
    }

    /// Takes answers and continues the program. After an error it waits still.
    pub(crate) fn resume(&mut self, guest: &Guest, answers: Vec<(u64, Answer)>) -> Result<Run, Error> {
        let waiting = self.waiting.take().ok_or_else(no_longer)?;
        if let Err(error) = waiting.take_answers(answers) {
            self.waiting = Some(waiting);
            return Err(error);
        }
        self.calls.clear();
        Ok(waiting.resume(guest))
    }

    /// Saves the program, which waits here, too. `keep` writes it somewhere.
    pub(crate) fn save<T>(
        &mut self,
        guest: &Guest,
        keep: impl FnOnce(Snapshot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let waiting = self.waiting.as_mut().ok_or_else(no_longer)?;
        let kept = keep(waiting.save(guest)?)?;
        self.is_saved = true;
        Ok(kept)
    }

    /// Says that what was saved is gone.
    pub(crate) fn forget_file(&mut self) {
        self.is_saved = false;
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        let Some(waiting) = self.waiting.take() else { return };
        if self.is_saved {
            waiting.leave();
        } else {
            // Only the audit receives the result.
            let _ = waiting.give_up();
        }
    }
}
