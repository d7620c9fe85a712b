//! Enforces the locks of one guest on one file against other guests and processes: by the system, or by a table of this
//! process.

use std::{
    collections::HashMap,
    fs::File,
    sync::{
        Arc, LazyLock, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use isolette_abi::files::{FileError, Lock};
use nix::{
    errno::Errno,
    fcntl::{FcntlArg, fcntl},
    libc,
};

use super::ranges::{Ranges, Span};
use isolette_policy::FileSystem;

/// A file that guests of this process lock in the table, without the system.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Known {
    /// A file on a disk that does not support locks.
    File { device: u64, inode: u64 },
    /// A file of an embedder's file system, identified by the address of the file system and the path in it.
    Name(usize, String),
}

/// All locks in the table, by file and owner.
static TABLE: LazyLock<Mutex<HashMap<Known, HashMap<u64, Ranges>>>> = LazyLock::new(Mutex::default);
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Holds the locks of a guest on a file. Dropping it releases them.
pub(super) enum Keeper {
    /// Locks of this open file. They exclude every other process and every other open file.
    System(LockedFile),
    /// Locks in the table, which are only effective in this process.
    Table(Entry),
}

/// A file that stays open as long as it is locked.
pub(super) struct LockedFile {
    file: File,
    writable: bool,
}

/// Number of files that are open for locks.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Maximum number of files that are open for locks: a quarter of the process's limit, which it also needs for other
/// purposes.
static MOST: LazyLock<usize> = LazyLock::new(|| {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| usize::try_from(limit / 4).unwrap_or(usize::MAX))
});

impl LockedFile {
    pub(super) fn new(file: File, writable: bool) -> Result<Self, FileError> {
        let this = Self { file, writable };
        if OPEN.fetch_add(1, Ordering::Relaxed) < *MOST { Ok(this) } else { Err(FileError::TooManyFiles) }
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A guest's locks on one file in the table.
pub(super) struct Entry {
    file: Known,
    owner: u64,
    /// Keeps the file system alive, so that no other one can have the same address.
    _system: Option<Arc<dyn FileSystem>>,
}

impl Entry {
    pub(super) fn new(file: Known, system: Option<Arc<dyn FileSystem>>) -> Self {
        Self { file, owner: NEXT.fetch_add(1, Ordering::Relaxed), _system: system }
    }

    /// Sets or tests a lock. `after` is the guest's set of locks with this lock; `None` for a test.
    pub(super) fn set(&self, lock: Lock, span: Span, after: Option<&Ranges>) -> bool {
        let mut table = table();
        let others = table.get(&self.file).into_iter().flatten().filter(|(owner, _)| **owner != self.owner);
        if others.into_iter().any(|(_, ranges)| ranges.forbid(lock, span)) {
            return false;
        }
        if let Some(after) = after {
            table.entry(self.file.clone()).or_default().insert(self.owner, after.clone());
        }
        true
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut table = table();
        if let Some(owners) = table.get_mut(&self.file) {
            owners.remove(&self.owner);
            if owners.is_empty() {
                table.remove(&self.file);
            }
        }
    }
}

impl Keeper {
    /// Sets a lock, or only tests it if `after` is `None`. Returns whether no other lock conflicts with it.
    pub(super) fn set(&self, lock: Lock, span: Span, after: Option<&Ranges>) -> Result<bool, Refusal> {
        match self {
            Self::System(LockedFile { writable: false, .. }) if lock == Lock::Exclusive && after.is_some() => {
                Err(Refusal::Error(FileError::Access))
            }
            Self::System(LockedFile { file, .. }) => of_the_system(file, lock, span, after.is_none()),
            Self::Table(entry) => Ok(entry.set(lock, span, after)),
        }
    }

    /// Whether the file has no names left, so that no guest can open it again.
    pub(super) fn is_gone(&self) -> bool {
        match self {
            Self::System(LockedFile { file, .. }) => {
                file.metadata().is_ok_and(|metadata| std::os::unix::fs::MetadataExt::nlink(&metadata) == 0)
            }
            Self::Table(_) => false,
        }
    }
}

/// Why a lock was not set.
#[derive(Debug)]
pub(super) enum Refusal {
    Error(FileError),
    /// The file's disk does not support locks.
    Unsupported,
}

/// Locks bytes of an open file. Unlike locks of a process, locks of an open file are effective against other open files
/// of the same process, and do not end when one of those is closed.
fn of_the_system(file: &File, lock: Lock, span: Span, test: bool) -> Result<bool, Refusal> {
    let invalid = |_| Refusal::Error(FileError::Invalid);
    let kind = match lock {
        Lock::Unlock => libc::F_UNLCK,
        Lock::Shared => libc::F_RDLCK,
        Lock::Exclusive => libc::F_WRLCK,
    };
    let short = |number: i32| i16::try_from(number).unwrap_or_default();
    let mut wanted = libc::flock {
        l_type: short(kind),
        l_whence: short(libc::SEEK_SET),
        l_start: i64::try_from(span.first).map_err(invalid)?,
        l_len: i64::try_from(span.length()).map_err(invalid)?,
        l_pid: 0,
    };
    let done = if test {
        fcntl(file, FcntlArg::F_OFD_GETLK(&mut wanted)).map(|_| i32::from(wanted.l_type) == libc::F_UNLCK)
    } else {
        fcntl(file, FcntlArg::F_OFD_SETLK(&wanted)).map(|_| true)
    };
    match done {
        Err(Errno::EAGAIN | Errno::EACCES) => Ok(false),
        Err(Errno::EINVAL | Errno::ENOSYS | Errno::EOPNOTSUPP) => Err(Refusal::Unsupported),
        Err(Errno::ENOLCK | Errno::EINTR) => Err(Refusal::Error(FileError::Busy)),
        Err(_) => Err(Refusal::Error(FileError::Io)),
        Ok(done) => Ok(done),
    }
}

fn table() -> MutexGuard<'static, HashMap<Known, HashMap<u64, Ranges>>> {
    TABLE.lock().unwrap_or_else(PoisonError::into_inner)
}
