//! Memories that are shared with one guest after the other.
//!
//! A memory that is used again is cleared, and need be neither made nor unmapped, which interrupts all processors that this process uses.

use std::{
    io,
    ops::Deref,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    handle::Handle,
    shared_memory::{KeptMemory, SharedMemory},
};

/// The most memories that are used again. The descriptor of each stays open while its guest lives, and that of the guest until another
/// one has the memory. There soon are as many, so that open files do not become more over time.
const LIMIT: usize = 8;

/// The memories that are used again, of one fork server.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// Each of them has a clone.
    members: Arc<()>,
    /// Those whose guests were told to end.
    returned: Mutex<Vec<Returned>>,
}

/// A memory that no guest has.
#[derive(Debug)]
pub(super) struct Memory {
    shared: SharedMemory,
    file: File,
}

/// Through which the process of a guest gets a memory.
#[derive(Debug)]
struct File {
    descriptor: OwnedFd,
    /// If the memory is used again.
    member: Option<Arc<()>>,
}

/// A memory of a guest, which was told to end when this is dropped.
#[derive(Debug)]
pub(super) struct LentMemory {
    shared: SharedMemory,
    /// What is needed to use it again.
    returns: Option<(File, Arc<Handle>, Arc<Memories>)>,
}

#[derive(Debug)]
struct Returned {
    shared: KeptMemory,
    file: File,
    guest: Arc<Handle>,
}

impl Memories {
    /// Returns a memory that no guest has.
    pub(super) fn take(&self) -> io::Result<Memory> {
        if let Some(memory) = self.take_returned() {
            return Ok(memory);
        }
        let (shared, descriptor) = SharedMemory::new()?;
        let member = (Arc::strong_count(&self.members) <= LIMIT).then(|| Arc::clone(&self.members));
        Ok(Memory { shared, file: File { descriptor, member } })
    }

    /// One whose guest has ended: nothing of that guest remains in it, and nobody can write to it any more.
    fn take_returned(&self) -> Option<Memory> {
        let Returned { shared, file, .. } = {
            let mut returned = self.returned();
            let position = returned.iter().position(|memory| memory.guest.is_gone())?;
            returned.swap_remove(position)
        };
        Some(Memory { shared: shared.clear()?, file })
    }

    fn returned(&self) -> MutexGuard<'_, Vec<Returned>> {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    pub(super) fn file(&self) -> BorrowedFd<'_> {
        self.file.descriptor.as_fd()
    }

    /// Gives it to a guest.
    pub(super) fn lend(self, guest: &Arc<Handle>, owner: &Arc<Memories>) -> LentMemory {
        let Self { shared, file } = self;
        let returns = file.member.is_some().then(|| (file, Arc::clone(guest), Arc::clone(owner)));
        LentMemory { shared, returns }
    }
}

impl Deref for LentMemory {
    type Target = SharedMemory;

    fn deref(&self) -> &SharedMemory {
        &self.shared
    }
}

impl Drop for LentMemory {
    fn drop(&mut self) {
        if let Some((file, guest, owner)) = self.returns.take() {
            owner.returned().push(Returned { shared: self.shared.keep(), file, guest });
        }
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::shared_memory::FULL;
    use rustix::process::{PidfdFlags, pidfd_open};

    use super::*;

    /// A process that has not ended: this one.
    fn living() -> Arc<Handle> {
        let number = rustix::process::getpid();
        let process = pidfd_open(number, PidfdFlags::empty()).unwrap();
        Arc::new(Handle::new(process, number.as_raw_nonzero().get().cast_unsigned()))
    }

    /// A process that has ended.
    fn ended() -> Arc<Handle> {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let number = child.id();
        let process = pidfd_open(rustix::process::Pid::from_child(&child), PidfdFlags::empty()).unwrap();
        child.wait().unwrap();
        Arc::new(Handle::new(process, number))
    }

    #[test]
    fn a_memory_is_used_again_once_its_guest_has_ended_and_is_empty_then() {
        let memories = Arc::new(Memories::default());
        let lent = memories.take().unwrap().lend(&living(), &memories);
        lent.put(b"secret", FULL);
        drop(lent);
        assert!(memories.take_returned().is_none(), "its guest lives");
        let other = memories.take().unwrap().lend(&ended(), &memories);
        other.put(b"secret", FULL);
        drop(other);
        let again = memories.take_returned().unwrap();
        assert!(memories.take_returned().is_none());
        let again = again.lend(&living(), &memories);
        assert!(!again.is_full());
        let mut bytes = [1; 6];
        again.copy(0, &mut bytes);
        assert_eq!(bytes, [0; 6]);
    }

    #[test]
    fn no_more_are_kept_than_may_be() {
        let memories = Arc::new(Memories::default());
        let guest = ended();
        let lent: Vec<_> = (0..2 * LIMIT).map(|_| memories.take().unwrap().lend(&guest, &memories)).collect();
        drop(lent);
        assert_eq!(memories.returned().len(), LIMIT);
    }
}
