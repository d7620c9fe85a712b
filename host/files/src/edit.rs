//! Operations that change the length of a file.

use isolette_policy::FileError;

use super::ledger::Change;

/// An operation that makes a file longer or shorter.
pub(super) enum Edit<'a> {
    Write { offset: Option<u64>, bytes: &'a [u8] },
    Resize(u64),
}

impl Edit<'_> {
    /// The length of a file after the operation, given its length before.
    pub(super) fn length(&self, before: u64) -> u64 {
        match *self {
            Self::Write { offset, bytes } => before.max(offset.unwrap_or(before).saturating_add(bytes.len() as u64)),
            Self::Resize(size) => size,
        }
    }
}

/// Checks whether a file may change from one length to another, in bytes.
pub(super) type Fits<'a> = dyn FnMut(u64, u64) -> Result<(), FileError> + 'a;

/// The change of a file's length, if it is known, and the outcome of the operation.
pub(super) type Edited = (Option<Change>, Result<(), FileError>);
