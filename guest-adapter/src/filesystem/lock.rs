//! Locks on bytes of files.
//!
//! WASI has none. The interpreter's `fcntl` asks for them by `posix_fadvise`, at offsets that no file has
//! (`toolchain/assembler/src/interpreter/patches.rs`): everything else that takes a descriptor and a range changes the file.

use isolette_abi::files::{FileError, Lock};

use super::{FileSystem, Handle, host::Wanted};
use crate::{bindings::exports::wasi::filesystem::types::Advice, waist::Wall};

/// What is added to the first byte.
const MARK: u64 = 1 << 62;

impl FileSystem {
    /// Whether no other's lock stands in the way of this one. It never waits.
    pub(crate) fn lock(&mut self, wall: &mut Wall, handle: &Handle, wanted: Wanted) -> Result<bool, FileError> {
        match handle {
            // Locks of a guest never stand in its own way, and these files are nobody else's.
            Handle::Memory(_) | Handle::Null => Ok(true),
            Handle::Way => Err(FileError::IsDirectory),
            Handle::Host { writable: false, .. } if wanted.lock == Lock::Exclusive && !wanted.test => {
                Err(FileError::ReadOnly)
            }
            Handle::Host { name, .. } => self.host.lock(wall, &name.path()?, wanted),
        }
    }
}

/// The lock that is meant by advice. The kinds are numbered as in `fcntl.h`, those that are only tried follow.
pub(crate) fn wanted(offset: u64, length: u64, advice: Advice) -> Option<Wanted> {
    let start = offset.checked_sub(MARK)?;
    let (lock, test) = match advice {
        Advice::Normal => (Lock::Shared, false),
        Advice::Sequential => (Lock::Exclusive, false),
        Advice::Random => (Lock::Unlock, false),
        Advice::WillNeed => (Lock::Shared, true),
        Advice::DontNeed => (Lock::Exclusive, true),
        Advice::NoReuse => (Lock::Unlock, true),
    };
    Some(Wanted { lock, start, length, test })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_about_bytes_of_files_is_no_lock() {
        for offset in [0, 1, MARK - 1] {
            assert!(wanted(offset, 1, Advice::Sequential).is_none());
        }
        let lock = wanted(MARK + 5, 0, Advice::DontNeed).expect("a lock");
        assert_eq!((lock.lock, lock.start, lock.length, lock.test), (Lock::Exclusive, 5, 0, true));
    }
}
