//! Resolves paths with `..` as a file system does: a directory that a path leaves must exist.

use isolette_abi::files::FileError;

use super::{FileSystem, GuestPath};
use crate::host_calls::HostCalls;

impl FileSystem {
    /// Resolves a path from the root, with or without its first slash.
    ///
    /// # Errors
    /// [`FileError::NotFound`] and [`FileError::NotDirectory`] for what the path leaves by `..`, and the errors of
    /// [`GuestPath::absolute`].
    pub(crate) fn walk(&mut self, calls: &mut HostCalls, path: &str) -> Result<GuestPath, FileError> {
        let resolved = GuestPath::absolute(path)?;
        self.leave(calls, &GuestPath::root(), path).map(|()| resolved)
    }

    /// Resolves a relative path.
    ///
    /// # Errors
    /// The errors of [`FileSystem::walk`] and of [`GuestPath::join`].
    pub(crate) fn walk_from(
        &mut self,
        calls: &mut HostCalls,
        directory: &GuestPath,
        path: &str,
    ) -> Result<GuestPath, FileError> {
        let resolved = directory.join(path)?;
        self.leave(calls, directory, path).map(|()| resolved)
    }

    /// Looks up the directories that a path leaves. There are fewer than half as many as the path has bytes, of which there are at
    /// most 4,096.
    fn leave(&mut self, calls: &mut HostCalls, directory: &GuestPath, path: &str) -> Result<(), FileError> {
        if !path.contains("..") {
            return Ok(());
        }
        let left = directory.left_by(path);
        left.iter().enumerate().try_for_each(|(place, directory)| {
            let is_known = left.iter().take(place).any(|known| known.as_str() == directory.as_str());
            if is_known { Ok(()) } else { self.stat(calls, directory).map(drop) }
        })
    }
}
