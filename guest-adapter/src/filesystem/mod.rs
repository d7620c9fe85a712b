//! The file tree: mounts of the host, `/tmp` in the adapter's memory, and the directories that contain these.
//!
//! The users of this module (WASI's descriptors, `isolette:sandbox/files`) see only paths and handles.

mod directory;
mod host;
mod listed;
pub(crate) mod lock;
mod memory;
mod metadata;
mod mounts;
mod names;
mod open;
mod pages;
mod path;
#[cfg(test)]
mod tests;
mod unnamed;
mod walk;

use std::rc::Rc;

use isolette_abi::{
    Mount,
    files::{self, FileError, Kind, Status},
};

use self::{
    host::HostFiles,
    listed::Listed,
    memory::{Memory, Node},
    mounts::{Backing, Mounts},
    names::{Name, Names},
};
pub(crate) use self::{host::Wanted, metadata::identity, open::OpenOptions, path::GuestPath};
use crate::host_calls::HostCalls;

/// The file tree of this instance.
#[derive(Default)]
pub(crate) struct FileSystem {
    mounts: Mounts,
    memory: Memory,
    host: HostFiles,
    names: Names,
    listed: Listed,
}

/// An existing file or directory.
#[derive(Clone)]
pub(crate) enum Handle {
    /// In memory, also after its name was removed.
    Memory(Rc<Node>),
    /// On a mount, by name: the host has no open files. In memory after the name was removed.
    Host { name: Name, writable: bool },
    /// A directory that contains mounts.
    MountParent,
    /// `/dev/null`: discards what is written, and is empty.
    Null,
}

pub(crate) const NULL: &str = "/dev/null";

/// The directory in which programs store results, by convention.
const OUTPUT: &str = "/output";

const MOUNT_PARENT: Status = Status { kind: Kind::Directory, size: 0, modified: 0 };

impl FileSystem {
    /// Sets the mounts of a new run, and clears what was cached in the previous run. Files in memory are kept.
    pub(crate) fn begin(&mut self, mounts: &[Mount<'_>]) {
        self.mounts = Mounts::new(mounts);
        self.host = HostFiles::default();
    }

    /// Resolves a path. A path on a mount need not exist.
    fn resolve(&self, path: &GuestPath) -> Result<Handle, FileError> {
        if path.as_str() == NULL {
            return Ok(Handle::Null);
        }
        match self.mounts.find(path) {
            Some((_, Backing::Memory, relative)) => self.memory.find(relative).map(Handle::Memory),
            Some((_, Backing::Host { writable }, _)) => Ok(Handle::Host { name: Name::new(path), writable }),
            None => Err(FileError::NotFound),
        }
        .or_else(|error| if self.mounts.holds(path) { Ok(Handle::MountParent) } else { Err(error) })
    }

    /// Resolves the path of a file for an operation. The host reports later if it does not exist.
    pub(crate) fn locate(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<Handle, FileError> {
        if path.must_be_directory() {
            self.stat(calls, path)?;
        }
        self.resolve(path)
    }

    pub(crate) fn stat(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<Status, FileError> {
        let handle = self.resolve(path)?;
        let status = match self.status(calls, &handle) {
            Err(FileError::NotFound) if self.mounts.holds(path) => MOUNT_PARENT,
            status => status?,
        };
        match status.kind {
            Kind::Directory => Ok(status),
            _ if path.must_be_directory() => Err(FileError::NotDirectory),
            _ => Ok(status),
        }
    }

    pub(crate) fn status(&mut self, calls: &mut HostCalls, handle: &Handle) -> Result<Status, FileError> {
        match &handle.now() {
            Handle::Memory(node) => Ok(node.status()),
            Handle::Host { name, writable } => self.host.stat(calls, &name.path()?, *writable),
            Handle::MountParent => Ok(MOUNT_PARENT),
            Handle::Null => Ok(Status { kind: Kind::Other, size: 0, modified: 0 }),
        }
    }

    /// Fewer bytes than `length` only at the end of the file.
    pub(crate) fn read(
        &mut self,
        calls: &mut HostCalls,
        handle: &Handle,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, FileError> {
        let (path, writable) = match &handle.now() {
            Handle::Memory(node) => return node.read(offset, length),
            Handle::Host { name, writable } => (name.path()?, *writable),
            Handle::MountParent => return Err(FileError::IsDirectory),
            Handle::Null => return Ok(Vec::new()),
        };
        let mut bytes = self.host.read(calls, &path, writable, offset, length)?;
        let mut last = bytes.len();
        // A reply contains at most one chunk; only after a full one there can be more.
        while last == isolette_abi::CHUNK_LIMIT && bytes.len() < length as usize {
            let offset = offset.saturating_add(bytes.len() as u64);
            let more = self.host.read(calls, &path, writable, offset, length - bytes.len() as u32)?;
            last = more.len();
            bytes.extend_from_slice(&more);
        }
        Ok(bytes)
    }

    pub(crate) fn write(
        &mut self,
        calls: &mut HostCalls,
        handle: &Handle,
        offset: Option<u64>,
        bytes: &[u8],
    ) -> Result<(), FileError> {
        match &handle.now() {
            Handle::Memory(node) => node.write(offset, bytes, calls.timestamp()),
            Handle::Host { name, writable: true } => host::write(calls, &name.path()?, offset, bytes),
            Handle::Host { writable: false, .. } => Err(FileError::ReadOnly),
            Handle::MountParent => Err(FileError::IsDirectory),
            Handle::Null => Ok(()),
        }
    }

    pub(crate) fn resize(&mut self, calls: &mut HostCalls, handle: &Handle, size: u64) -> Result<(), FileError> {
        match &handle.now() {
            Handle::Memory(node) => node.resize(size, calls.timestamp()),
            Handle::Host { name, writable: true } => {
                host::change(calls, files::Call::Resize { path: name.path()?.as_str(), size })
            }
            Handle::Host { writable: false, .. } => Err(FileError::ReadOnly),
            Handle::MountParent => Err(FileError::IsDirectory),
            Handle::Null => Ok(()),
        }
    }

    pub(crate) fn set_modified(
        &mut self,
        calls: &mut HostCalls,
        handle: &Handle,
        modified: u64,
    ) -> Result<(), FileError> {
        match &handle.now() {
            Handle::Memory(node) => {
                node.set_modified(modified);
                Ok(())
            }
            Handle::Host { name, writable: true } => {
                host::change(calls, files::Call::SetModified { path: name.path()?.as_str(), modified })
            }
            Handle::Host { writable: false, .. } | Handle::MountParent | Handle::Null => Err(FileError::ReadOnly),
        }
    }

    /// The initial working directory of a program: a writable directory.
    pub(crate) fn working_directory(&mut self, calls: &HostCalls) -> &'static str {
        if self.mounts.is_writable(OUTPUT) {
            // A program that changes to it requests its kind first, which is known for a mount.
            self.host.expect_directory(calls, OUTPUT);
            OUTPUT
        } else {
            mounts::MEMORY
        }
    }
}
