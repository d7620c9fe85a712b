//! A path inside one mount, and what can be done there.

use isolette_abi::CHUNK_LIMIT;

use super::system::{Entry, FileError, FileSystem, Kind, Status};
use crate::policy::Mount;

/// Entries in one reply: with the longest names they still fit into a message.
const ENTRIES: usize = 512;

/// A path inside one mount. The root of the mount has the empty path, and stays where it is.
pub(super) struct Place<'a> {
    pub(super) mount: &'a Mount,
    pub(super) system: &'a dyn FileSystem,
    pub(super) path: &'a str,
}

impl Place<'_> {
    pub(super) fn stat(&self) -> Result<Status, FileError> {
        self.system.stat(self.path)
    }

    pub(super) fn read(&self, offset: u64, length: u32) -> Result<Vec<u8>, FileError> {
        let length = (length as usize).min(CHUNK_LIMIT);
        let mut bytes = self.system.read(self.path, offset, u32::try_from(length).unwrap_or(u32::MAX))?;
        // No more than was asked for, whatever there was.
        bytes.truncate(length);
        Ok(bytes)
    }

    pub(super) fn write(&self, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        self.system.write(self.path, offset, bytes)
    }

    /// Part of a directory, sorted by name, and whether there is more.
    pub(super) fn list(&self, skip: u32) -> Result<(Vec<Entry>, bool), FileError> {
        let mut entries = self.system.list_directory(self.path)?;
        entries.sort_unstable_by(|left, right| left.name.cmp(&right.name));
        let mut entries = entries.split_off((skip as usize).min(entries.len()));
        let more = entries.len() > ENTRIES;
        entries.truncate(ENTRIES);
        Ok((entries, more))
    }

    pub(super) fn create(&self, kind: Kind) -> Result<(), FileError> {
        match (self.path, kind) {
            ("", _) => Err(FileError::Exists),
            (path, kind) => self.system.create(path, kind),
        }
    }

    pub(super) fn remove(&self, kind: Kind) -> Result<(), FileError> {
        match self.path {
            "" => Err(FileError::Busy),
            path => self.system.remove(path, kind),
        }
    }

    pub(super) fn rename(&self, target: &Self) -> Result<(), FileError> {
        if self.path.is_empty() || target.path.is_empty() {
            return Err(FileError::Busy);
        }
        self.system.rename(self.path, target.path)
    }

    pub(super) fn resize(&self, size: u64) -> Result<(), FileError> {
        self.system.resize(self.path, size)
    }

    pub(super) fn set_modified(&self, modified: u64) -> Result<(), FileError> {
        self.system.set_modified(self.path, modified)
    }

    /// Something in this directory.
    pub(super) fn child(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}/{name}", self.path) }
    }
}
