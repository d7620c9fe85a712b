//! What changes the length of a file.

use isolette_policy::FileError;

use super::ledger::Change;

/// What makes a file longer or shorter.
pub(super) enum Edit<'a> {
    Write { offset: Option<u64>, bytes: &'a [u8] },
    Resize(u64),
}

impl Edit<'_> {
    /// The length of a file afterwards that has this one before.
    pub(super) fn length(&self, before: u64) -> u64 {
        match *self {
            Self::Write { offset, bytes } => before.max(offset.unwrap_or(before).saturating_add(bytes.len() as u64)),
            Self::Resize(size) => size,
        }
    }
}

/// Whether a file of so many bytes may have so many afterwards.
pub(super) type Fits<'a> = dyn FnMut(u64, u64) -> Result<(), FileError> + 'a;

/// How the length of a file has changed, if that is known, and what came of what was to be done.
pub(super) type Edited = (Option<Change>, Result<(), FileError>);
