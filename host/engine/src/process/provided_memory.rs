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
    /// A counter of the memories that are used again: each of them has a clone.
    members: Arc<()>,
    /// The memories of guests that were killed, which may not have ended yet.
    returned: Mutex<Vec<Returned>>,
}

/// A memory that no guest has.
#[derive(Debug)]
pub(super) struct Memory {
    shared: SharedMemory,
    file: File,
}

/// The file through which the process of a guest gets a memory.
#[derive(Debug)]
struct File {
    descriptor: OwnedFd,
    /// A clone of [`Memories::members`], if the memory is used again.
    member: Option<Arc<()>>,
}

/// A memory that was provided to a guest. The guest is killed before this is dropped.
#[derive(Debug)]
pub(super) struct ProvidedMemory {
    shared: SharedMemory,
    /// The parts that are needed to use the memory again.
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

    /// Takes a memory whose guest has ended: nothing of that guest remains in it, and no process can write to it any more.
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

    /// Provides the memory to a guest.
    pub(super) fn provide(self, guest: &Arc<Handle>, owner: &Arc<Memories>) -> ProvidedMemory {
        let Self { shared, file } = self;
        let returns = file.member.is_some().then(|| (file, Arc::clone(guest), Arc::clone(owner)));
        ProvidedMemory { shared, returns }
    }
}

impl Deref for ProvidedMemory {
    type Target = SharedMemory;

    fn deref(&self) -> &SharedMemory {
        &self.shared
    }
}

impl Drop for ProvidedMemory {
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
        let provided = memories.take().unwrap().provide(&living(), &memories);
        provided.put(b"secret", FULL);
        drop(provided);
        assert!(memories.take_returned().is_none(), "its guest lives");
        let other = memories.take().unwrap().provide(&ended(), &memories);
        other.put(b"secret", FULL);
        drop(other);
        let again = memories.take_returned().unwrap();
        assert!(memories.take_returned().is_none());
        let again = again.provide(&living(), &memories);
        assert!(!again.is_full());
        let mut bytes = [1; 6];
        again.copy(0, &mut bytes);
        assert_eq!(bytes, [0; 6]);
    }

    #[test]
    fn no_more_are_kept_than_may_be() {
        let memories = Arc::new(Memories::default());
        let guest = ended();
        let provided: Vec<_> = (0..2 * LIMIT).map(|_| memories.take().unwrap().provide(&guest, &memories)).collect();
        drop(provided);
        assert_eq!(memories.returned().len(), LIMIT);
    }
}
