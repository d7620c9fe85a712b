//! The files that a guest wrote, as the embedder receives them.

use std::{fmt, path::Path};

use serde::Serialize;

use super::Error;

/// A regular file in `/output`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OutputFile {
    /// The path in the guest: `/output/report.txt`.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the contents, in lower-case hexadecimal. `None` where the host did not compute it, so that no
    /// program can keep its host busy after its end: once the files before it had 256 MiB together, once the time of
    /// the run was over or it was cancelled while its files were read, and for a run that was stopped.
    /// [`Truncated::digests`](crate::Truncated::digests) counts these files.
    pub sha256: Option<String>,
}

impl OutputFile {
    /// Creates a file entry; `path` is the path in the guest.
    pub fn new(path: String, size: u64, sha256: Option<String>) -> Self {
        Self { path, size, sha256 }
    }
}

/// An entry of a directory that a guest sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DirectoryEntry {
    /// The path in the guest.
    pub path: String,
    /// Whether the entry is a directory.
    pub directory: bool,
    /// The size in bytes; 0 if the entry is not a regular file.
    pub size: u64,
}

impl DirectoryEntry {
    /// Creates an entry; `path` is the path in the guest.
    pub fn new(path: String, directory: bool, size: u64) -> Self {
        Self { path, directory, size }
    }
}

/// The directory that was `/output` for a run. An [`ExecutionResult`](crate::ExecutionResult) keeps one, so that its
/// files can be read after the run.
pub trait OutputDirectory: fmt::Debug + Send + Sync {
    /// Returns its path on the host. `None` if it is not a directory of the host, or a temporary one that the system refuses to
    /// make.
    fn path(&self) -> Option<&Path>;

    /// Lists the regular files that are in it at the time of the call, sorted by path, at most 1,000. Links are neither
    /// followed nor listed.
    fn list(&self) -> Vec<OutputFile>;

    /// Reads a file of at most `limit` bytes, by its path in the guest.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than
    /// `limit`.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error>;
}
