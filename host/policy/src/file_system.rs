//! File systems for mounts, implemented by an embedder.

pub use isolette_abi::files::{FileError, Kind, Status};

/// A tree of files that is mounted in a guest: a `Directory` of the host, an archive, an object
/// store, a mock, or a wrapper around one of these. [`Mount::file_system`](crate::Mount) mounts it.
///
/// Paths are relative to its root and in UTF-8, such as `reports/june.txt`; the root is the empty path. They never have
/// `.`, `..`, empty components or a NUL. The host checks whether the guest may write before it calls a method, and also
/// the limits on files of [`Limits`](crate::Limits), with the results of [`FileSystem::stat`] and
/// [`FileSystem::list_directory`].
///
/// The host calls the methods on the thread on which the guest waits, one after the other for each guest, and for
/// several guests concurrently. They may block: the deadline of a run applies all the same. A panic is an input/output
/// error in the program.
pub trait FileSystem: Send + Sync + 'static {
    /// Returns the metadata of a file or directory.
    ///
    /// # Errors
    /// [`FileError::NotFound`] and others, which the program receives as its `errno`. The same holds for every method.
    fn stat(&self, path: &str) -> Result<Status, FileError>;

    /// Reads at most `length` bytes from `offset`; fewer only at the end of the file. `length` is at most 192 KiB.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError>;

    /// Lists all entries of a directory, in any order.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError>;

    /// Writes all of `bytes` at `offset`; for `None`, at the end of the file. The file must exist. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        let _ = (path, offset, bytes);
        Err(FileError::ReadOnly)
    }

    /// Creates an empty file or directory, which must not exist yet. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        let _ = (path, kind);
        Err(FileError::ReadOnly)
    }

    /// Removes a file or an empty directory, depending on `kind`. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        let _ = (path, kind);
        Err(FileError::ReadOnly)
    }

    /// Returns how many bytes are freed once this name is removed or another file replaces it: the file's length, or 0
    /// if the name is a link or the file has other names as well. Default: 0, so that removed files still count towards
    /// [`Limits::file_total_bytes`](crate::Limits::file_total_bytes). Only a file system that has no links, or can
    /// detect them, may return more; a wrapper around a `Directory` calls that one.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`]; nothing is counted as freed then.
    fn freed(&self, path: &str) -> Result<u64, FileError> {
        let _ = path;
        Ok(0)
    }

    /// Renames a file or directory; an existing file at `target` is replaced. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        let _ = (source, target);
        Err(FileError::ReadOnly)
    }

    /// Truncates a file, or extends it with zero bytes. `size` is in bytes. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        let _ = (path, size);
        Err(FileError::ReadOnly)
    }

    /// Sets the time of the last modification, in nanoseconds since 1970. Default: read-only.
    ///
    /// # Errors
    /// The errors of [`FileSystem::stat`].
    fn set_modified(&self, path: &str, modified: u64) -> Result<(), FileError> {
        let _ = (path, modified);
        Err(FileError::ReadOnly)
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without a path.
    pub name: String,
    /// Whether it is a file, a directory or something else.
    pub kind: Kind,
}
