//! Opens files with the rules of POSIX.

use isolette_abi::files::{FileError, Kind};

use super::{FileSystem, GuestPath, Handle};
use crate::host_calls::HostCalls;

/// The options of opening a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpenOptions {
    /// Create a file if none exists.
    pub(crate) create: bool,
    /// Fail if a file exists.
    pub(crate) exclusive: bool,
    /// Truncate the file.
    pub(crate) truncate: bool,
    /// Fail unless it is a directory.
    pub(crate) directory: bool,
    /// Open the file for writing.
    pub(crate) write: bool,
}

impl FileSystem {
    pub(crate) fn open(
        &mut self,
        calls: &mut HostCalls,
        path: &GuestPath,
        options: OpenOptions,
    ) -> Result<(Handle, Kind), FileError> {
        if options.create && options.directory {
            return Err(FileError::Invalid);
        }
        // No file is created with such a name, and Linux does not look whether there is one.
        if options.create && path.ends_with_slash() {
            return self.stat(calls, &path.join("..")?).and(Err(FileError::IsDirectory));
        }
        let (kind, made) = self.find_or_make(calls, path, options)?;
        let handle = self.resolve(path)?;
        match kind {
            Kind::Directory if options.write || options.create || options.truncate => {
                return Err(FileError::IsDirectory);
            }
            Kind::Directory => {}
            _ if options.directory => return Err(FileError::NotDirectory),
            Kind::Other if !matches!(handle, Handle::Null) => return Err(FileError::Access),
            Kind::Other | Kind::File => {}
        }
        if let Handle::Host { writable: false, .. } = handle
            && (options.write || options.truncate)
        {
            return Err(FileError::ReadOnly);
        }
        if options.truncate && !made {
            self.resize(calls, &handle, 0)?;
        }
        if let Handle::Host { name, .. } = &handle {
            self.names.follow(name);
        }
        Ok((handle, kind))
    }

    /// Returns the kind of the file, and whether it was created.
    fn find_or_make(
        &mut self,
        calls: &mut HostCalls,
        path: &GuestPath,
        options: OpenOptions,
    ) -> Result<(Kind, bool), FileError> {
        if !(options.create && options.exclusive) {
            match self.stat(calls, path) {
                Err(FileError::NotFound) if options.create => {}
                status => return Ok((status?.kind, false)),
            }
        }
        match self.create(calls, path, Kind::File) {
            // Another process on the host created it in the meantime.
            Err(FileError::Exists) if !options.exclusive => Ok((self.stat(calls, path)?.kind, false)),
            made => made.map(|()| (Kind::File, true)),
        }
    }
}
