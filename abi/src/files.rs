//! Files on the mounts (`wit/files.wit`).

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

/// What a guest does with files. Paths are absolute and in the guest's view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// The reply is `Result<Found, FileError>`.
    Stat {
        /// Which file.
        path: &'a str,
    },
    /// The reply is `Result<transfer::Chunk, FileError>`.
    Read {
        /// Which file.
        path: &'a str,
        /// In bytes.
        offset: u64,
        /// At most [`crate::CHUNK_LIMIT`] are read.
        length: u32,
    },
    /// The reply is `Result<(), FileError>`.
    Write {
        /// Which file; it must exist.
        path: &'a str,
        /// In bytes; without one, the end of the file.
        offset: Option<u64>,
        /// At most [`crate::CHUNK_LIMIT`].
        #[serde(borrow, with = "serde_bytes")]
        bytes: &'a [u8],
    },
    /// The reply is `Result<Listing, FileError>`.
    List {
        /// Which directory.
        path: &'a str,
        /// How many entries to leave out, in an order that stays the same while the directory does.
        skip: u32,
    },
    /// The reply is `Result<(), FileError>`.
    Create {
        /// Which file.
        path: &'a str,
        /// A file or a directory.
        kind: Kind,
    },
    /// The reply is `Result<(), FileError>`.
    Remove {
        /// Which file.
        path: &'a str,
        /// What it is expected to be.
        kind: Kind,
    },
    /// The reply is `Result<(), FileError>`.
    Rename {
        /// The old path.
        source: &'a str,
        /// The new one.
        target: &'a str,
    },
    /// The reply is `Result<(), FileError>`.
    Resize {
        /// Which file.
        path: &'a str,
        /// In bytes.
        size: u64,
    },
    /// The reply is `Result<(), FileError>`.
    SetModified {
        /// Which file.
        path: &'a str,
        /// Nanoseconds since 1970.
        modified: u64,
    },
    /// Locks bytes of a file for the guest, in place of whatever lock it has on them, or gives a lock back. It never waits. The
    /// reply is `Result<bool, FileError>`: whether no other's lock stands in the way. Locks keep other locks away and nothing
    /// else; they end with the guest.
    Lock {
        /// Which file.
        path: &'a str,
        /// How others are kept away.
        lock: Lock,
        /// The first byte; it need not be there.
        start: u64,
        /// How many bytes; 0 for all that follow.
        length: u64,
        /// Only says whether the lock could be had.
        test: bool,
    },
}

/// Who else may lock the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lock {
    /// Anybody: no lock at all.
    None,
    /// Those who want it shared too.
    Shared,
    /// Nobody.
    Exclusive,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// Something that is never opened.
    Other,
}

/// What is known of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// What it is.
    pub kind: Kind,
    /// In bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: u64,
}

/// What a name leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// What is known of it.
    pub status: Status,
    /// The same for all names of one file, and another for every other file. Nothing where files have nothing but names.
    pub file: Option<u64>,
}

/// Part of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listing<'a> {
    /// Without `.` and `..`.
    #[serde(borrow)]
    pub entries: Vec<(&'a str, Kind)>,
    /// There are more; ask again with a larger `skip`.
    pub more: bool,
}

/// Why an operation was not done. Each case is an `errno`.
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
