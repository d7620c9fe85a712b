//! One tree of files, out of three kinds of places.
//!
//! Mounts are the host's, `/tmp` is the adapter's own memory, and the directories that lead to both belong to nobody.
//! Everything above this module (WASI's descriptors, `isolette:sandbox/files`) sees paths and handles only.

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
pub(crate) use self::{host::Wanted, metadata::identity, open::Manner, path::GuestPath};
use crate::waist::Wall;

/// The tree of this instance.
#[derive(Default)]
pub(crate) struct FileSystem {
    mounts: Mounts,
    memory: Memory,
    host: HostFiles,
    names: Names,
    listed: Listed,
}

/// A file or directory that was found.
#[derive(Clone)]
pub(crate) enum Handle {
    /// In memory, even after its name is gone.
    Memory(Rc<Node>),
    /// On a mount, by its name: the host knows no open files.
    Host { name: Name, writable: bool },
    /// A directory that leads to mounts.
    Way,
    /// `/dev/null`: takes everything and has nothing.
    Null,
}

pub(crate) const NULL: &str = "/dev/null";

/// Where programs leave their results, by convention.
const OUTPUT: &str = "/output";

const WAY: Status = Status { kind: Kind::Directory, size: 0, modified: 0 };

impl FileSystem {
    /// Takes the mounts of a new run and forgets what was known of the old ones. Files in memory stay.
    pub(crate) fn begin(&mut self, mounts: &[Mount<'_>]) {
        self.mounts = Mounts::new(mounts);
        self.host = HostFiles::default();
    }

    /// What `path` stands for. On a mount this says nothing about whether it is there.
    fn resolve(&self, path: &GuestPath) -> Result<Handle, FileError> {
        if path.as_str() == NULL {
            return Ok(Handle::Null);
        }
        match self.mounts.find(path) {
            Some((_, Backing::Memory, way)) => self.memory.find(way).map(Handle::Memory),
            Some((_, Backing::Host { writable }, _)) => Ok(Handle::Host { name: Name::new(path), writable }),
            None => Err(FileError::NotFound),
        }
        .or_else(|error| if self.mounts.holds(path) { Ok(Handle::Way) } else { Err(error) })
    }

    /// Finds what is at `path`, for operations on a file: the host says later if it is not there.
    pub(crate) fn locate(&mut self, wall: &mut Wall, path: &GuestPath) -> Result<Handle, FileError> {
        if path.must_be_directory() {
            self.stat(wall, path)?;
        }
        self.resolve(path)
    }

    pub(crate) fn stat(&mut self, wall: &mut Wall, path: &GuestPath) -> Result<Status, FileError> {
        let handle = self.resolve(path)?;
        let status = match self.status(wall, &handle) {
            Err(FileError::NotFound) if self.mounts.holds(path) => WAY,
            status => status?,
        };
        match status.kind {
            Kind::Directory => Ok(status),
            _ if path.must_be_directory() => Err(FileError::NotDirectory),
            _ => Ok(status),
        }
    }

    pub(crate) fn status(&mut self, wall: &mut Wall, handle: &Handle) -> Result<Status, FileError> {
        match handle {
            Handle::Memory(node) => Ok(node.status()),
            Handle::Host { name, writable } => self.host.stat(wall, &name.path()?, *writable),
            Handle::Way => Ok(WAY),
            Handle::Null => Ok(Status { kind: Kind::Other, size: 0, modified: 0 }),
        }
    }

    /// Fewer bytes than `length` only at the end of the file.
    pub(crate) fn read(
        &mut self,
        wall: &mut Wall,
        handle: &Handle,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, FileError> {
        let (path, writable) = match handle {
            Handle::Memory(node) => return node.read(offset, length),
            Handle::Host { name, writable } => (name.path()?, *writable),
            Handle::Way => return Err(FileError::IsDirectory),
            Handle::Null => return Ok(Vec::new()),
        };
        let mut bytes = self.host.read(wall, &path, writable, offset, length)?;
        let mut last = bytes.len();
        // A reply is at most one chunk long; only then can there be more.
        while last == isolette_abi::CHUNK_LIMIT && bytes.len() < length as usize {
            let offset = offset.saturating_add(bytes.len() as u64);
            let more = self.host.read(wall, &path, writable, offset, length - bytes.len() as u32)?;
            last = more.len();
            bytes.extend_from_slice(&more);
        }
        Ok(bytes)
    }

    pub(crate) fn write(
        &mut self,
        wall: &mut Wall,
        handle: &Handle,
        offset: Option<u64>,
        bytes: &[u8],
    ) -> Result<(), FileError> {
        match handle {
            Handle::Memory(node) => node.write(offset, bytes, wall.stamp()),
            Handle::Host { name, writable: true } => host::write(wall, &name.path()?, offset, bytes),
            Handle::Host { writable: false, .. } => Err(FileError::ReadOnly),
            Handle::Way => Err(FileError::IsDirectory),
            Handle::Null => Ok(()),
        }
    }

    pub(crate) fn resize(&mut self, wall: &mut Wall, handle: &Handle, size: u64) -> Result<(), FileError> {
        match handle {
            Handle::Memory(node) => node.resize(size, wall.stamp()),
            Handle::Host { name, writable: true } => {
                host::change(wall, files::Call::Resize { path: name.path()?.as_str(), size })
            }
            Handle::Host { writable: false, .. } => Err(FileError::ReadOnly),
            Handle::Way => Err(FileError::IsDirectory),
            Handle::Null => Ok(()),
        }
    }

    pub(crate) fn set_modified(&mut self, wall: &mut Wall, handle: &Handle, modified: u64) -> Result<(), FileError> {
        match handle {
            Handle::Memory(node) => {
                node.set_modified(modified);
                Ok(())
            }
            Handle::Host { name, writable: true } => {
                host::change(wall, files::Call::SetModified { path: name.path()?.as_str(), modified })
            }
            Handle::Host { writable: false, .. } | Handle::Way | Handle::Null => Err(FileError::ReadOnly),
        }
    }

    /// Where a program begins: a directory that it can write to.
    pub(crate) fn working_directory(&mut self, wall: &Wall) -> &'static str {
        if self.mounts.is_writable(OUTPUT) {
            // Whoever goes there asks first whether it is a directory, which is known of a mount.
            self.host.expect_directory(wall, OUTPUT);
            OUTPUT
        } else {
            mounts::MEMORY
        }
    }
}
