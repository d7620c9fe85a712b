//! Paused programs in files.

use std::{fmt, path::Path};

use isolette_types::{EngineName, Error, Language, PausedCall, RunId};

use crate::{
    run::RunState,
    snapshot::{Snapshot, SnapshotKey},
};

/// A paused program from a file that [`PausedRun::save`](crate::PausedRun::save) wrote.
/// [`Sandbox::paused_from`](crate::Sandbox::paused_from) continues it.
///
/// A file can continue more than once: then so many programs continue from the same moment, with the same random numbers.
/// Remove it if the answer must be given once only.
#[derive(Clone)]
pub struct SavedRun {
    snapshot: Snapshot,
    state: RunState,
}

impl fmt::Debug for SavedRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SavedRun")
            .field("run", &self.run())
            .field("calls", &self.calls())
            .finish_non_exhaustive()
    }
}

impl SavedRun {
    /// Loads a program that the present user has saved.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read; [`Error::InvalidArgument`] if it is not of a paused program, was changed, is of
    /// another version, or was saved by another user.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::load_with(path, &SnapshotKey::of_user()?)
    }

    /// Loads a program that was saved with a key of the caller's.
    ///
    /// # Errors
    /// As of [`SavedRun::load`].
    pub fn load_with(path: impl AsRef<Path>, key: &SnapshotKey) -> Result<Self, Error> {
        Self::new(Snapshot::load_run(path.as_ref(), key)?)
    }

    /// Makes a program of the bytes of its file.
    ///
    /// # Errors
    /// As of [`SavedRun::load`].
    pub fn from_bytes(bytes: Vec<u8>, key: &SnapshotKey) -> Result<Self, Error> {
        Self::new(Snapshot::run_from_bytes(bytes, key)?)
    }

    fn new(snapshot: Snapshot) -> Result<Self, Error> {
        let state = RunState::decode(snapshot.run().unwrap_or_default())?;
        Ok(Self { snapshot, state })
    }

    /// The calls that wait for an answer, in the order in which the program made them.
    #[must_use]
    pub fn calls(&self) -> Vec<PausedCall> {
        self.state.calls()
    }

    /// The identifier of the run, which stays the same.
    #[must_use]
    pub fn run(&self) -> RunId {
        self.state.run
    }

    /// The language of the program.
    #[must_use]
    pub fn language(&self) -> Language {
        self.snapshot.language()
    }

    /// The isolation of the program. Only sandboxes with the same one continue it.
    #[must_use]
    pub fn isolation(&self) -> EngineName {
        self.snapshot.isolation()
    }

    /// The SHA-256 digest, in hexadecimal digits, of the image of the program.
    #[must_use]
    pub fn image(&self) -> &str {
        self.snapshot.image()
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(crate) fn state(&self) -> &RunState {
        &self.state
    }
}
