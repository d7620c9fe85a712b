//! What a guest asks for, as somebody could ask for it who has taken a guest over, and what the embedder asks for.

mod changes;
mod links;
mod locks;
mod paths;
mod whole;

use std::{path::Path, sync::Arc};

use isolette_abi::{decode_prefix, files::Call};
use isolette_policy::{Access, Entry, FileError, FileSystem, Kind, Limits, Mount, Status};
use isolette_types::Error;

use super::*;

/// Mounts, as one guest has them.
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

    /// One directory at `/output`.
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
