//! Locks on bytes of files.
//!
//! WASI has none. The interpreter's `fcntl` passes them to `posix_fadvise`, at offsets that no file has
//! (`toolchain/assembler/src/interpreter/patches.rs`), because every other function on a descriptor and a range changes the
//! file.

use isolette_abi::files::{FileError, Lock};

use super::{FileSystem, Handle, host::Wanted};
use crate::{bindings::exports::wasi::filesystem::types::Advice, host_calls::HostCalls};

/// The offset that is added to the first byte.
const MARK: u64 = 1 << 62;

impl FileSystem {
    /// Returns whether the lock is available. Never waits.
    pub(crate) fn lock(&mut self, calls: &mut HostCalls, handle: &Handle, wanted: Wanted) -> Result<bool, FileError> {
        match &handle.now() {
            // A guest's own locks never conflict, and these files belong to one guest.
            Handle::Memory(_) | Handle::Null => Ok(true),
            Handle::MountParent => Err(FileError::IsDirectory),
            Handle::Host { writable: false, .. } if wanted.lock == Lock::Exclusive && !wanted.test => {
                Err(FileError::ReadOnly)
            }
            Handle::Host { name, .. } => self.host.lock(calls, &name.path()?, wanted),
        }
    }
}

/// Decodes a lock from an advice. The kinds have the numbers of `fcntl.h`; those of tests follow.
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
