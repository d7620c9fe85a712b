//! The locks that one guest has on ranges of bytes of files, mainly for databases.
//!
//! They exclude those of every other guest and, in a directory of the host's, those of every process that uses POSIX
//! locks (`fcntl`). A guest has one set of locks on a file under all names of the file:
//! [`StatReply::file`](isolette_abi::files::StatReply) identifies files that the guest opens under two names.

use std::{
    fmt, ptr,
    sync::{Arc, Mutex, PoisonError, TryLockError},
};

use isolette_abi::files::{FileError, Lock};

use super::{
    directory::Directory,
    keepers::{Entry, Keeper, Known, LockedFile, Refusal},
    place::Place,
    ranges::{Ranges, Span},
};
use isolette_policy::Kind;
use isolette_policy::MountSource;

/// Maximum number of files that a guest can lock at the same time. Each needs an open file of the host's.
const FILES: usize = 16;

/// The locks of one guest. They are released when the last clone is dropped.
#[derive(Clone, Default)]
pub struct Locks(Arc<Mutex<Locked>>);

#[derive(Default)]
struct Locked {
    files: Vec<OneFile>,
    /// Whether the guest has ended. Its last call may still be in flight.
    ended: bool,
}

struct OneFile {
    which: Which,
    keeper: Keeper,
    ranges: Ranges,
}

/// How the files of a guest are distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Which {
    /// In directories of the host's.
    File { device: u64, inode: u64 },
    /// By the guest's path, in file systems that only have names.
    Path(String),
}

impl Which {
    fn is_below(&self, path: &str) -> bool {
        let Self::Path(own) = self else { return false };
        own.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Debug for Locks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Locks").finish_non_exhaustive()
    }
}

impl Locks {
    /// Releases all locks permanently. If a call of the guest for a lock is still in flight, they are released when
    /// that call ends.
    pub fn end(&self) {
        let mut locked = match self.0.try_lock() {
            Ok(locked) => locked,
            Err(TryLockError::Poisoned(locked)) => locked.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        locked.ended = true;
        locked.files.clear();
    }

    /// The number of files on which the guest holds locks.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).files.iter().filter(|file| !file.keeper.is_gone()).count()
    }

    /// Sets a lock, or only tests it if `test`. Returns whether no lock of another guest or process conflicts with it.
    pub(super) fn lock(&self, place: &Place<'_>, lock: Lock, span: Span, test: bool) -> Result<bool, FileError> {
        let mut locked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if locked.ended {
            return Err(FileError::Busy);
        }
        if lock == Lock::Exclusive && !test && !place.mount.writable() {
            return Err(FileError::ReadOnly);
        }
        let which = which(place)?;
        if let Some(at) = locked.files.iter().position(|file| file.which == which) {
            return locked.change(at, lock, span, test);
        }
        if lock == Lock::Unlock {
            return Ok(true);
        }
        locked.files.retain(|file| !file.keeper.is_gone());
        if locked.files.len() >= FILES && !test {
            return Err(FileError::TooManyFiles);
        }
        let (which, keeper) = open(place, which)?;
        // Another process may have replaced the file in the meantime, so it may be one that is locked already.
        if let Some(at) = locked.files.iter().position(|file| file.which == which) {
            return locked.change(at, lock, span, test);
        }
        let ranges = Ranges::default().with(lock, span).ok_or(FileError::TooManyFiles)?;
        let after = (!test).then_some(&ranges);
        let (keeper, got) = match keeper.set(lock, span, after) {
            Err(Refusal::Unsupported) => {
                let entry = entry(place, &which);
                let got = entry.set(lock, span, after);
                (Keeper::Table(entry), got)
            }
            Err(Refusal::Error(error)) => return Err(error),
            Ok(got) => (keeper, got),
        };
        if got && !test {
            locked.files.push(OneFile { which, keeper, ranges });
        }
        Ok(got)
    }

    /// Called after a name was removed or given to another file. Releases locks that can no longer be reached.
    pub(super) fn renamed(&self, place: &Place<'_>) {
        let mut locked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !locked.files.is_empty() {
            let path = place.guest();
            locked.files.retain(|file| !file.which.is_below(&path) && !file.keeper.is_gone());
        }
    }
}

impl Locked {
    fn change(&mut self, at: usize, lock: Lock, span: Span, test: bool) -> Result<bool, FileError> {
        let Some(file) = self.files.get_mut(at) else { return Ok(false) };
        let after = if test { None } else { Some(file.ranges.with(lock, span).ok_or(FileError::TooManyFiles)?) };
        let got = file.keeper.set(lock, span, after.as_ref()).map_err(|refusal| match refusal {
            Refusal::Error(error) => error,
            Refusal::Unsupported => FileError::Io,
        })?;
        if got && let Some(after) = after {
            file.ranges = after;
            if file.ranges.is_empty() {
                self.files.swap_remove(at);
            }
        }
        Ok(got)
    }
}

fn which(place: &Place<'_>) -> Result<Which, FileError> {
    match place.directory {
        Some(directory) => directory.inode(place.path).map(|(device, inode)| Which::File { device, inode }),
        None => match place.system.stat(place.path)?.kind {
            Kind::File => Ok(Which::Path(place.guest())),
            Kind::Directory => Err(FileError::IsDirectory),
            Kind::Other => Err(FileError::Access),
        },
    }
}

/// Opens a file for the first lock of a guest on it. Also returns the identity of the file that was actually opened.
fn open(place: &Place<'_>, which: Which) -> Result<(Which, Keeper), FileError> {
    let Some(directory) = place.directory else {
        let entry = entry(place, &which);
        return Ok((which, Keeper::Table(entry)));
    };
    let (file, writable) = directory.open_to_lock(place.path, place.mount.writable())?;
    let (device, inode) = Directory::inode_of(&file)?;
    Ok((Which::File { device, inode }, Keeper::System(LockedFile::new(file, writable)?)))
}

fn entry(place: &Place<'_>, which: &Which) -> Entry {
    match which {
        Which::File { device, inode } => Entry::new(Known::File { device: *device, inode: *inode }, None),
        Which::Path(_) => {
            let system = match &place.mount.source {
                MountSource::FileSystem(source) => Some(source.system()),
                MountSource::Directory(_) => None,
            };
            let address = ptr::from_ref(place.system).addr();
            Entry::new(Known::Name(address, place.path.to_owned()), system)
        }
    }
}
