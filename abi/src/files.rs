//! Files on the mounts (`wit/files.wit`).

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// A call that concerns files. Paths are absolute guest paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// Returns the metadata of a file or directory. The reply is `Result<StatReply, FileError>`.
    Stat {
        /// The path of the file or directory.
        path: &'a str,
    },
    /// Reads bytes of a file. The reply is `Result<transfer::Chunk, FileError>`; it is shorter than `length` only at the end of
    /// the file or at [`crate::CHUNK_LIMIT`].
    Read {
        /// The path of the file.
        path: &'a str,
        /// The position of the first byte.
        offset: u64,
        /// The number of bytes to read. The host returns at most [`crate::CHUNK_LIMIT`].
        length: u32,
    },
    /// Writes bytes to a file. The reply is `Result<(), FileError>`.
    Write {
        /// The path of the file, which must exist.
        path: &'a str,
        /// The position of the first byte; `None` appends to the file.
        offset: Option<u64>,
        /// The bytes, at most [`crate::CHUNK_LIMIT`].
        #[serde(borrow, with = "serde_bytes")]
        bytes: &'a [u8],
    },
    /// Lists entries of a directory. The reply is `Result<Listing, FileError>`.
    List {
        /// The path of the directory.
        path: &'a str,
        /// The number of entries to skip. The order is stable while the directory does not change.
        skip: u32,
    },
    /// Creates an empty file or a directory. The reply is `Result<(), FileError>`.
    Create {
        /// The path to create.
        path: &'a str,
        /// Whether to create a file or a directory.
        kind: Kind,
    },
    /// Removes a file or an empty directory. The reply is `Result<(), FileError>`.
    Remove {
        /// The path to remove.
        path: &'a str,
        /// The expected kind of the entry.
        kind: Kind,
    },
    /// Renames a file or directory within one mount. The reply is `Result<(), FileError>`.
    Rename {
        /// The old path.
        source: &'a str,
        /// The new path. An existing file at this path is replaced.
        target: &'a str,
    },
    /// Truncates a file, or extends it with zero bytes. The reply is `Result<(), FileError>`.
    Resize {
        /// The path of the file.
        path: &'a str,
        /// The new size in bytes.
        size: u64,
    },
    /// Sets the time of the last modification. The reply is `Result<(), FileError>`.
    SetModified {
        /// The path of the file.
        path: &'a str,
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        modified: u64,
    },
    /// Locks or unlocks bytes of a file and replaces the locks that the guest holds on them. Never waits. The reply is
    /// `Result<bool, FileError>`: `false` if another owner holds a conflicting lock. Locks are advisory and end with the guest.
    Lock {
        /// The path of the file.
        path: &'a str,
        /// The kind of lock.
        lock: Lock,
        /// The position of the first byte, which may lie beyond the end of the file.
        start: u64,
        /// The number of bytes; 0 for all bytes from `start`.
        length: u64,
        /// Only tests whether the lock is available, and does not acquire it.
        test: bool,
    },
}

/// Which other locks may exist on the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lock {
    /// Releases the lock: other owners may hold any lock.
    Unlock,
    /// Other owners may hold shared locks only.
    Shared,
    /// Other owners may hold no lock.
    Exclusive,
}

/// The kind of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A link, device, socket or pipe, which the guest cannot open.
    Other,
}

/// The metadata of a file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The kind of the entry.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last modification, in nanoseconds since 1970-01-01T00:00:00Z.
    pub modified: u64,
}

/// The reply to [`Call::Stat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatReply {
    /// The metadata.
    pub status: Status,
    /// Identifies the file: equal for all names of one file and different for different files. `None` on a mount whose files
    /// have no identity besides their path.
    pub file: Option<u64>,
}

/// A part of the entries of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing<'a> {
    /// Names and kinds, without `.` and `..`.
    #[serde(borrow)]
    pub entries: Vec<(&'a str, Kind)>,
    /// Whether more entries follow; the guest requests them with a larger `skip`.
    pub more: bool,
}

/// Why an operation failed. Each case is an `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileError {
    /// EACCES
    Access,
    /// EBADF
    BadDescriptor,
    /// EBUSY
    Busy,
    /// EEXIST
    Exists,
    /// EFBIG
    FileTooLarge,
    /// EINVAL
    Invalid,
    /// EIO
    Io,
    /// EISDIR
    IsDirectory,
    /// ELOOP
    LinkLoop,
    /// EMFILE
    TooManyFiles,
    /// ENAMETOOLONG
    NameTooLong,
    /// ENOENT
    NotFound,
    /// ENOTDIR
    NotDirectory,
    /// ENOTEMPTY
    NotEmpty,
    /// ENOSPC
    NoSpace,
    /// ENOTSUP
    Unsupported,
    /// EROFS
    ReadOnly,
    /// EXDEV
    CrossDevice,
}
