//! Files on mounts that a program holds open while it removes their names or gives these to other files
//! (docs/decisions/0059-keep-removed-open-files-in-the-guest.md).
//!
//! On Linux such a file exists until it is closed. The host has no open files, so that the content moves into the memory of `/tmp`
//! before the name is removed, where all handles of the file find it.

use isolette_abi::files::{FileError, Kind};

use super::{
    FileSystem, GuestPath, Handle,
    names::{Name, Unnamed},
};
use crate::host_calls::HostCalls;

/// The longest file that moves into memory. A longer one can be removed, and not be used after that.
const LENGTH_LIMIT: u64 = 64 * 1024 * 1024;

impl FileSystem {
    /// Copies a file on a mount into memory if it is open, before its name is removed. Returns `None` if it is not open, is no file,
    /// or does not fit.
    pub(super) fn keep_open_file(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Option<Unnamed> {
        if !self.names.is_open(path) {
            return None;
        }
        self.copy_into_memory(calls, path).ok()
    }

    fn copy_into_memory(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<Unnamed, FileError> {
        let handle = Handle::Host { name: Name::new(path), writable: true };
        let identity = self.identity_of(calls, &handle, path)?;
        let status = self.status(calls, &handle)?;
        if status.kind != Kind::File {
            return Err(FileError::IsDirectory);
        }
        if status.size > LENGTH_LIMIT {
            return Err(FileError::FileTooLarge);
        }
        let node = self.memory.unnamed_file(status.modified)?;
        let mut offset = 0;
        while offset < LENGTH_LIMIT {
            let bytes = self.read(calls, &handle, offset, isolette_abi::CHUNK_LIMIT as u32)?;
            node.write(Some(offset), &bytes, status.modified)?;
            offset += bytes.len() as u64;
            if bytes.len() < isolette_abi::CHUNK_LIMIT {
                return Ok(Unnamed { node, identity });
            }
        }
        Err(FileError::FileTooLarge)
    }
}

impl Handle {
    /// Returns the handle of the file's present place: in memory, if the file was on a mount and its name was removed.
    pub(super) fn now(&self) -> Self {
        match self {
            Self::Host { name, .. } => name.unnamed().map_or_else(|| self.clone(), |file| Self::Memory(file.node)),
            _ => self.clone(),
        }
    }

    /// Whether the file has a name: until it is removed or given to another file.
    pub(crate) fn has_name(&self) -> bool {
        match self {
            Self::Memory(node) => node.has_name(),
            Self::Host { name, .. } => name.unnamed().is_none(),
            Self::MountParent | Self::Null => true,
        }
    }
}
