//! Files of a guest, as the embedder sees them.

use std::{fmt, path::Path};

use serde::Serialize;

use super::Error;

/// A file in `/output`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct OutputFile {
    /// As the guest sees it: `/output/report.txt`.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// Of its contents, in hexadecimal. `None` where it was left out, so that no program can keep its host busy after its end:
    /// once the files before it had 256 MiB together, once the time of the run was over or it was cancelled while its files
    /// were read, and in what a run left that was stopped. [`Truncated::digests`](crate::Truncated::digests) counts them.
    pub sha256: Option<String>,
}

impl OutputFile {
    /// A file, by the path that the guest has for it.
    pub fn new(path: String, size: u64, sha256: Option<String>) -> Self {
        Self { path, size, sha256 }
    }
}

/// Something in a directory that a guest sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DirectoryEntry {
    /// As the guest sees it.
    pub path: String,
    /// It is a directory.
    pub directory: bool,
    /// In bytes; 0 for what is no regular file.
    pub size: u64,
}

impl DirectoryEntry {
    /// An entry, by the path that the guest has for it.
    pub fn new(path: String, directory: bool, size: u64) -> Self {
        Self { path, directory, size }
    }
}

/// The directory that was `/output` for a run. [`ExecutionResult`](crate::ExecutionResult) keeps one, so that its files can
/// be read after the run.
pub trait OutputDirectory: fmt::Debug + Send + Sync {
    /// Where it is on the host. `None` if it is not a directory of the host.
    fn path(&self) -> Option<&Path>;

    /// Lists the regular files in it as they are now, sorted by path, at most 1,000. Links are neither followed nor listed.
    fn list(&self) -> Vec<OutputFile>;

    /// Reads a file of at most `limit` bytes, by the path that the guest has for it.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such regular file; [`Error::LimitExceeded`] if it is longer than `limit`.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, Error>;
}
