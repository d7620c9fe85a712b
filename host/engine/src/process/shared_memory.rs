//! The memory that this process shares with that of a guest (`isolette_abi::shared_memory`).
//!
//! The guest can change all of it at any moment. So each number is read once, and what is copied is checked afterwards, like what
//! comes from the socket.

#![expect(unsafe_code, reason = "memory that another process can write to has no safe type")]

use std::{
    cell::Cell,
    io,
    marker::PhantomData,
    os::fd::OwnedFd,
    ptr::{self, NonNull},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use isolette_abi::shared_memory::{AWAITED, EMPTY, FRAME, FRAME_LIMIT, FULL, MAY_SPIN, SIZE, TO_GUEST, TO_HOST};
use rustix::{
    fs::{MemfdFlags, SealFlags, fcntl_add_seals, ftruncate, memfd_create},
    mm::{MapFlags, ProtFlags, mmap, munmap},
};

#[derive(Debug)]
pub(super) struct SharedMemory {
    mapping: Arc<Mapping>,
    /// One thread at a time writes frames.
    _not_sync: PhantomData<Cell<()>>,
}

/// A memory that waits for another guest.
#[derive(Debug)]
pub(super) struct KeptMemory(Arc<Mapping>);

/// The mapping of a memory, until this is dropped.
#[derive(Debug)]
struct Mapping(NonNull<u8>);

// SAFETY: an address that stays the same gives no access by itself.
unsafe impl Send for Mapping {}
// SAFETY: see above.
unsafe impl Sync for Mapping {}

impl SharedMemory {
    /// Makes the memory, and a descriptor for the process of the guest. It cannot become shorter, so that no access fails.
    pub(super) fn new() -> io::Result<(Self, OwnedFd)> {
        let file = memfd_create("isolette-frames", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
        ftruncate(&file, SIZE as u64)?;
        fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        // SAFETY: the kernel chooses addresses that nothing uses.
        let address =
            unsafe { mmap(ptr::null_mut(), SIZE, ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED, &file, 0)? };
        let address = NonNull::new(address.cast()).ok_or_else(|| io::Error::other("memory was mapped at address 0"))?;
        Ok((Self::of(Arc::new(Mapping(address))), file))
    }

    fn of(mapping: Arc<Mapping>) -> Self {
        Self { mapping, _not_sync: PhantomData }
    }

    /// Keeps the memory for another guest.
    pub(super) fn keep(&self) -> KeptMemory {
        KeptMemory(Arc::clone(&self.mapping))
    }

    fn address(&self) -> NonNull<u8> {
        self.mapping.0
    }

    fn number(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: callers pass offsets of numbers within the memory, which is mapped as long as `self` exists.
        unsafe { AtomicU32::from_ptr(self.address().add(offset).cast().as_ptr()) }
    }

    /// Sets whether the guest may wait actively.
    pub(super) fn let_guest_spin(&self, may_spin: bool) {
        self.number(MAY_SPIN).store(may_spin.into(), Ordering::Relaxed);
    }

    /// Announces that a frame of the guest is awaited.
    pub(super) fn await_frame(&self) {
        self.number(TO_HOST).store(AWAITED, Ordering::Release);
    }

    /// Hands a frame over if the guest is waiting for it.
    pub(super) fn offer(&self, frame: &[u8]) -> bool {
        let state = self.number(TO_GUEST);
        if frame.len() > FRAME_LIMIT || state.load(Ordering::Acquire) != AWAITED {
            return false;
        }
        // SAFETY: the frame fits its place, which is within the memory.
        unsafe {
            ptr::copy_nonoverlapping(frame.as_ptr(), self.address().add(TO_GUEST + FRAME).as_ptr(), frame.len());
        }
        state.compare_exchange(AWAITED, FULL, Ordering::Release, Ordering::Relaxed).is_ok()
    }

    /// Whether a frame of the guest has arrived.
    pub(super) fn is_full(&self) -> bool {
        self.number(TO_HOST).load(Ordering::Acquire) == FULL
    }

    /// Stops waiting. Returns whether a frame has arrived all the same.
    pub(super) fn give_up(&self) -> bool {
        self.number(TO_HOST).swap(EMPTY, Ordering::Acquire) == FULL
    }

    /// Copies bytes of the guest's frame: those from `offset` on. Bytes beyond [`FRAME_LIMIT`] stay as they are.
    pub(super) fn copy(&self, offset: usize, buffer: &mut [u8]) {
        let room = FRAME_LIMIT.saturating_sub(offset);
        for (index, byte) in buffer.iter_mut().take(room).enumerate() {
            // SAFETY: the byte is within the memory. The guest may change it meanwhile; any value is as good as another.
            *byte = unsafe { self.address().add(TO_HOST + FRAME + offset + index).read_volatile() };
        }
    }
}

#[cfg(test)]
impl SharedMemory {
    /// Writes what a guest could: the beginning of a frame, and a state.
    pub(super) fn put(&self, frame: &[u8], state: u32) {
        assert!(frame.len() <= FRAME_LIMIT);
        // SAFETY: the bytes are within the memory.
        unsafe {
            ptr::copy_nonoverlapping(frame.as_ptr(), self.address().add(TO_HOST + FRAME).as_ptr(), frame.len());
        }
        self.number(TO_HOST).store(state, Ordering::Release);
    }
}

impl KeptMemory {
    /// Clears the memory, as it was when it was new. `None` if it is in use.
    pub(super) fn clear(mut self) -> Option<SharedMemory> {
        let Mapping(address) = Arc::get_mut(&mut self.0)?;
        // SAFETY: all of the memory is mapped for writing, and nothing in this process uses it.
        unsafe { ptr::write_bytes(address.as_ptr(), 0, SIZE) };
        Some(SharedMemory::of(self.0))
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: nothing refers to the memory any more.
        let _ = unsafe { munmap(self.0.as_ptr().cast(), SIZE) };
    }
}
