//! The memory that this process shares with the host (`isolette_abi::shared_memory`).

use core::{
    arch::x86_64::_rdtsc,
    hint::spin_loop,
    ptr,
    sync::atomic::{AtomicU32, Ordering},
};

use isolette_abi::{
    frames::{HEADER, Kind},
    shared_memory::{ADDRESS, AWAITED, EMPTY, FRAME, FRAME_LIMIT, FULL, MAY_SPIN, SIZE, TO_GUEST, TO_HOST},
};

use crate::system_calls::{self, Errno};

/// The time to wait actively, in ticks of the processor's time-stamp counter: some 20 µs. A tool call takes half of it.
const SPIN_TICKS: u64 = 60_000;

/// Maps the memory.
pub(crate) fn map(file: i32) -> Result<(), Errno> {
    system_calls::map_shared(ADDRESS as usize, SIZE, file)
}

fn number(offset: usize) -> &'static AtomicU32 {
    // SAFETY: the memory is mapped before a guest runs, and stays; all accesses to these 4 bytes are atomic.
    unsafe { &*((ADDRESS as usize + offset) as *const AtomicU32) }
}

/// Whether it is worthwhile to wait actively.
pub(crate) fn may_spin() -> bool {
    number(MAY_SPIN).load(Ordering::Relaxed) != 0
}

/// Announces that a frame is awaited.
pub(crate) fn await_frame() {
    number(TO_GUEST).store(AWAITED, Ordering::Release);
}

/// Hands a frame over if the host is waiting for it.
///
/// # Safety
/// The bytes must be readable.
pub(crate) unsafe fn offer(bytes: *const u8, length: usize) -> bool {
    let state = number(TO_HOST);
    if length > FRAME_LIMIT || state.load(Ordering::Acquire) != AWAITED {
        return false;
    }
    // SAFETY: the frame fits its place. The host reads it only after the state has changed.
    unsafe { ptr::copy_nonoverlapping(bytes, (ADDRESS as usize + TO_HOST + FRAME) as *mut u8, length) };
    state.compare_exchange(AWAITED, FULL, Ordering::Release, Ordering::Relaxed).is_ok()
}

/// Waits actively for the frame that is awaited, and copies it. Returns its length; `None` if it will come through the socket.
///
/// # Safety
/// The buffer must be writable.
pub(crate) unsafe fn receive(buffer: *mut u8, capacity: usize) -> Option<usize> {
    let state = number(TO_GUEST);
    // SAFETY: the processor has this instruction, and the system permits it.
    let now = || unsafe { _rdtsc() };
    let began = now();
    while state.load(Ordering::Acquire) != FULL {
        if now().wrapping_sub(began) > SPIN_TICKS {
            if state.compare_exchange(AWAITED, EMPTY, Ordering::Acquire, Ordering::Acquire).is_ok() {
                return None;
            }
            break;
        }
        spin_loop();
    }
    let frame = (ADDRESS as usize + TO_GUEST + FRAME) as *const u8;
    // SAFETY: the header is part of the memory, and the host does not change it until the next frame is awaited.
    let header = unsafe { frame.cast::<[u8; HEADER]>().read() };
    let length = match Kind::parse(header) {
        Ok((_, contents)) if HEADER + contents <= capacity.min(FRAME_LIMIT) => HEADER + contents,
        _ => system_calls::exit(1),
    };
    // SAFETY: both have that many bytes.
    unsafe { ptr::copy_nonoverlapping(frame, buffer, length) };
    state.store(EMPTY, Ordering::Relaxed);
    Some(length)
}
