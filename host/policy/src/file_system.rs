//! What a mount shows: a directory of the host's, or whatever an embedder makes look like one.

pub use isolette_abi::files::{FileError, Kind, Status};

/// A tree of files that a guest sees at one place: a [`Directory`](super::Directory) of the host's, an archive, an object
/// store, a mock, or one of these with something around it. Lend it with [`Mount::file_system`](crate::Mount).
///
/// Paths are relative to its root and in UTF-8, such as `reports/june.txt`; the root is the empty path. They never have `.`,
/// `..`, empty parts or a NUL. Whether the guest may write is asked of the mount before; the limits on files of
/// [`Limits`](crate::Limits) are kept before as well, by what [`FileSystem::stat`] and
/// [`FileSystem::list_directory`] say.
///
/// Methods are called on the thread on which the guest waits, one after the other for each guest, and by several guests at
/// a time. They may block: the deadline of a run holds all the same. A panic is an input/output error of the program's.
pub trait FileSystem: Send + Sync + 'static {
    /// What is known of a file or directory.
    ///
    /// # Errors
    /// [`FileError::NotFound`] and others, which the program sees as its `errno`. So it is with every method.
    fn stat(&self, path: &str) -> Result<Status, FileError>;

    /// Reads at most `length` bytes from `offset`; fewer only at the end of the file. `length` is at most 192 KiB.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn read(&self, path: &str, offset: u64, length: u32) -> Result<Vec<u8>, FileError>;

    /// Everything in a directory, in any order.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn list_directory(&self, path: &str) -> Result<Vec<Entry>, FileError>;

    /// Writes all of `bytes` at `offset`; without one, at the end of the file, which must exist. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn write(&self, path: &str, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        let _ = (path, offset, bytes);
        Err(FileError::ReadOnly)
    }

    /// Creates an empty file or directory, which must not exist yet. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn create(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        let _ = (path, kind);
        Err(FileError::ReadOnly)
    }

    /// Removes a file or an empty directory; `kind` says which of the two is meant. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn remove(&self, path: &str, kind: Kind) -> Result<(), FileError> {
        let _ = (path, kind);
        Err(FileError::ReadOnly)
    }

    /// How many bytes are free again once this name is removed, or another file has taken it: the file's length, or nothing
    /// if what has the name is a link or the file has other names as well. Default: nothing, so that whatever is removed goes
    /// on counting towards [`Limits::file_total_bytes`](crate::Limits::file_total_bytes). Only a file system that
    /// has no links, or knows of them, can say otherwise; one around a [`Directory`](super::Directory) asks that one.
    ///
    /// # Errors
    /// As [`FileSystem::stat`]; nothing is given back then.
    fn freed(&self, path: &str) -> Result<u64, FileError> {
        let _ = path;
        Ok(0)
    }

    /// Renames; a file at `target` is replaced. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn rename(&self, source: &str, target: &str) -> Result<(), FileError> {
        let _ = (source, target);
        Err(FileError::ReadOnly)
    }

    /// Cuts a file, or extends it with zero bytes. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn resize(&self, path: &str, size: u64) -> Result<(), FileError> {
        let _ = (path, size);
        Err(FileError::ReadOnly)
    }

    /// Sets the time of the last modification, in nanoseconds since 1970. Default: read-only.
    ///
    /// # Errors
    /// As [`FileSystem::stat`].
    fn set_modified(&self, path: &str, modified: u64) -> Result<(), FileError> {
        let _ = (path, modified);
        Err(FileError::ReadOnly)
    }
}

/// Something in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, without a path.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}
