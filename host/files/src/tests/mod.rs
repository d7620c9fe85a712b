//! Tests of calls that a compromised guest could make, and of calls by the embedder.

mod changes;
mod links;
mod locks;
mod paths;
mod temporary;
mod whole;

use std::{path::Path, sync::Arc};

use isolette_abi::{decode_prefix, files::Call};
use isolette_policy::{Access, Entry, FileError, FileSystem, Kind, Limits, Mount, Status};
use isolette_types::Error;

use super::*;

/// The state of one guest: its mounts, quota and locks.
struct Guest {
    files: Files,
    quota: Quota,
    locks: Locks,
}

impl Guest {
    fn new(mounts: &[Mount], change: impl FnOnce(&mut Limits)) -> Self {
        let mut limits = Limits::default();
        change(&mut limits);
        Self { files: Files::new(mounts).unwrap(), quota: Quota::new(Arc::new(limits)), locks: Locks::default() }
    }

    /// A guest with one directory at `/output`.
    fn with_output(directory: &Path, change: impl FnOnce(&mut Limits)) -> Self {
        Self::new(&[Mount::new(directory, "/output", Access::ReadWrite).unwrap()], change)
    }

    fn ask(&mut self, call: &Call<'_>) -> Result<(), FileError> {
        decode_prefix(&self.files.answer(call, &mut self.quota, &self.locks)).unwrap()
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), FileError> {
        match self.ask(&Call::Create { path, kind: Kind::File }) {
            Ok(()) | Err(FileError::Exists) => self.ask(&Call::Write { path, offset: Some(0), bytes }),
            error => error,
        }
    }

    fn rename(&mut self, source: &str, target: &str) -> Result<(), FileError> {
        self.ask(&Call::Rename { source, target })
    }
}
