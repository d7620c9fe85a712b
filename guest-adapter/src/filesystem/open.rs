//! Opening, as POSIX has it.

use isolette_abi::files::{FileError, Kind};

use super::{FileSystem, GuestPath, Handle};
use crate::waist::Wall;

/// What is asked of a name when it is opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Make a file if there is none.
    pub(crate) create: bool,
    /// Fail if there is one.
    pub(crate) exclusive: bool,
    /// Cut it to nothing.
    pub(crate) truncate: bool,
    /// Fail unless it is a directory.
    pub(crate) directory: bool,
    /// It will be written to.
    pub(crate) write: bool,
}

impl FileSystem {
    pub(crate) fn open(
        &mut self,
        wall: &mut Wall,
        path: &GuestPath,
        manner: Manner,
    ) -> Result<(Handle, Kind), FileError> {
        if manner.create && manner.directory {
            return Err(FileError::Invalid);
        }
        let (kind, made) = self.find_or_make(wall, path, manner)?;
        let handle = self.resolve(path)?;
        match kind {
            Kind::Directory if manner.write || manner.create || manner.truncate => return Err(FileError::IsDirectory),
            Kind::Directory => {}
            _ if manner.directory => return Err(FileError::NotDirectory),
            Kind::Other if !matches!(handle, Handle::Null) => return Err(FileError::Access),
            Kind::Other | Kind::File => {}
        }
        if let Handle::Host { writable: false, .. } = handle
            && (manner.write || manner.truncate)
        {
            return Err(FileError::ReadOnly);
        }
        if manner.truncate && !made {
            self.resize(wall, &handle, 0)?;
        }
        if let Handle::Host { name, .. } = &handle {
            self.names.follow(name);
        }
        Ok((handle, kind))
    }

    /// What is there, and whether it was made just now.
    fn find_or_make(&mut self, wall: &mut Wall, path: &GuestPath, manner: Manner) -> Result<(Kind, bool), FileError> {
        if !(manner.create && manner.exclusive) {
            match self.stat(wall, path) {
                Err(FileError::NotFound) if manner.create => {}
                status => return Ok((status?.kind, false)),
            }
        }
        match self.create(wall, path, Kind::File) {
            // Somebody on the host was faster.
            Err(FileError::Exists) if !manner.exclusive => Ok((self.stat(wall, path)?.kind, false)),
            made => made.map(|()| (Kind::File, true)),
        }
    }
}
