//! Operations that change or list the entries of directories.

use isolette_abi::files::{self, FileError, Kind};

use super::{FileSystem, GuestPath, Handle, NULL, host, mounts::Backing};
use crate::host_calls::HostCalls;

impl FileSystem {
    /// The entries of a directory, without `.` and `..`, each once.
    pub(crate) fn list(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<Vec<(String, Kind)>, FileError> {
        let listed = match self.resolve(path)? {
            Handle::Memory(node) => node.list(),
            Handle::Host { .. } => host::list(calls, path),
            Handle::MountParent => Ok(Vec::new()),
            Handle::Null => Err(FileError::NotDirectory),
        };
        let mut entries = match listed {
            Err(FileError::NotFound) if self.mounts.holds(path) => Vec::new(),
            listed => listed?,
        };
        for child in self.mounts.children(path) {
            entries.retain(|(name, _)| *name != child.0);
            entries.push(child);
        }
        Ok(entries)
    }

    pub(crate) fn create(&mut self, calls: &mut HostCalls, path: &GuestPath, kind: Kind) -> Result<(), FileError> {
        if kind == Kind::Other || (kind == Kind::File && path.must_be_directory()) {
            return Err(FileError::Invalid);
        }
        if self.mounts.holds(path) || path.as_str() == NULL {
            return Err(FileError::Exists);
        }
        match self.mounts.find(path) {
            Some((_, Backing::Memory, relative)) => self.memory.create(relative, kind, calls.timestamp()),
            Some((_, Backing::Host { writable: true }, _)) => {
                host::change(calls, files::Call::Create { path: path.as_str(), kind })
            }
            Some((_, Backing::Host { writable: false }, _)) => match self.stat(calls, path) {
                Ok(_) => Err(FileError::Exists),
                Err(FileError::NotFound) => Err(FileError::ReadOnly),
                Err(error) => Err(error),
            },
            None => Err(self.outside_mounts(path)),
        }
    }

    pub(crate) fn remove(&mut self, calls: &mut HostCalls, path: &GuestPath, kind: Kind) -> Result<(), FileError> {
        if self.mounts.holds(path) {
            return Err(if kind == Kind::Directory { FileError::Busy } else { FileError::IsDirectory });
        }
        self.respect_slash(calls, path)?;
        match self.mounts.find(path) {
            Some((_, Backing::Memory, relative)) => self.memory.remove(relative, kind, calls.timestamp()),
            Some((_, Backing::Host { writable: true }, _)) => {
                let content = self.keep_open_file(calls, path);
                host::change(calls, files::Call::Remove { path: path.as_str(), kind })?;
                self.names.removed(path, content.as_ref());
                Ok(())
            }
            Some((_, Backing::Host { writable: false }, _)) => self.stat(calls, path).and(Err(FileError::ReadOnly)),
            None if path.as_str() == NULL => Err(FileError::Access),
            None => Err(FileError::NotFound),
        }
    }

    pub(crate) fn rename(
        &mut self,
        calls: &mut HostCalls,
        source: &GuestPath,
        target: &GuestPath,
    ) -> Result<(), FileError> {
        if self.mounts.holds(source) || self.mounts.holds(target) {
            return Err(FileError::Busy);
        }
        self.respect_slash(calls, source)?;
        let (from, backing, old) = self.mounts.find(source).ok_or(FileError::NotFound)?;
        let (to, _, new) = self.mounts.find(target).ok_or_else(|| self.outside_mounts(target))?;
        if from != to {
            return self.stat(calls, source).and(Err(FileError::CrossDevice));
        }
        match backing {
            Backing::Memory => self.memory.rename(old, new, calls.timestamp()),
            Backing::Host { writable: true } => {
                let replaced =
                    if source.as_str() == target.as_str() { None } else { self.keep_open_file(calls, target) };
                host::change(calls, files::Call::Rename { source: source.as_str(), target: target.as_str() })?;
                self.names.renamed(source, target, replaced.as_ref());
                Ok(())
            }
            Backing::Host { writable: false } => self.stat(calls, source).and(Err(FileError::ReadOnly)),
        }
    }

    /// A path that ends with a slash is not the name of a file.
    fn respect_slash(&mut self, calls: &mut HostCalls, path: &GuestPath) -> Result<(), FileError> {
        if path.must_be_directory() { self.stat(calls, path).map(drop) } else { Ok(()) }
    }

    /// The error for creating an entry at a path that is in no mount.
    fn outside_mounts(&self, path: &GuestPath) -> FileError {
        match path.join("..") {
            Ok(parent) if self.mounts.holds(&parent) => FileError::ReadOnly,
            _ => FileError::NotFound,
        }
    }
}
