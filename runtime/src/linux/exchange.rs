//! The one place in which a guest waits for the host.
//!
//! Before a message is written, everything that is needed to go on with its answer is in memory: the registers are on the
//! stack, and the address of the stack is in [`PARKED`]. Nothing in memory changes until the answer is read. So whenever the
//! host holds a whole message, the memory of this process can be copied, and another process that has the copy goes on with
//! [`resume`] as this one does.

use core::{arch::naked_asm, sync::atomic::AtomicUsize};

use crate::{
    channel::SOCKET,
    shared_memory,
    system_calls::{self, EINTR},
};

/// The top of the stack of a process that waits.
static PARKED: AtomicUsize = AtomicUsize::new(0);

/// Sends `length` bytes to the host, then receives at most `capacity` bytes. Returns their number, 0 at the end, or less after
/// an error. A frame of at most [`FRAME_LIMIT`] bytes is sent whole, more bytes are a part of one.
///
/// [`FRAME_LIMIT`]: isolette_abi::shared_memory::FRAME_LIMIT
///
/// # Safety
/// The bytes must be readable, the buffer writable.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn exchange(bytes: *const u8, length: usize, buffer: *mut u8, capacity: usize) -> isize {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rdx",
        "push rcx",
        "mov [rip + {parked}], rsp",
        // A function expects a multiple of 16 above its return address.
        "sub rsp, 8",
        "call {send}",
        "add rsp, 8",
        "cmp rax, {to_read}",
        "je {read}",
        "jmp {leave}",
        parked = sym PARKED,
        send = sym send,
        to_read = const TO_READ,
        read = sym read,
        leave = sym leave,
    )
}

/// The result of [`send`] if the answer will come through the socket.
const TO_READ: isize = -1_000_000;

/// The result of [`send`] if the system refused to write.
const FAILED: isize = -1;

/// Sends bytes, and waits for the answer as long as that is worthwhile. It writes to nothing but the stack below [`PARKED`],
/// which has no meaning for a copy of the memory, until it has the answer.
extern "C" fn send(bytes: *const u8, length: usize, buffer: *mut u8, capacity: usize) -> isize {
    let spins = shared_memory::may_spin();
    if spins {
        shared_memory::await_frame();
    }
    // SAFETY: the caller of `exchange` guarantees that the bytes are readable.
    let sent = unsafe { shared_memory::offer(bytes, length) || write_all(bytes, length) };
    match sent {
        false => FAILED,
        true if spins => {
            // SAFETY: the caller of `exchange` guarantees that the buffer is writable.
            let received = unsafe { shared_memory::receive(buffer, capacity) };
            received.and_then(|length| isize::try_from(length).ok()).unwrap_or(TO_READ)
        }
        true => TO_READ,
    }
}

/// Writes to the socket.
///
/// # Safety
/// The bytes must be readable.
unsafe fn write_all(bytes: *const u8, length: usize) -> bool {
    // SAFETY: see above.
    let mut rest = unsafe { core::slice::from_raw_parts(bytes, length) };
    while !rest.is_empty() {
        match system_calls::write(SOCKET, rest) {
            Ok(length) => rest = rest.get(length..).unwrap_or_default(),
            Err(EINTR) => {}
            Err(_) => return false,
        }
    }
    true
}

/// Continues where another process wrote its last message, in memory that is a copy of its memory.
#[unsafe(naked)]
pub(crate) extern "C" fn resume() -> ! {
    naked_asm!(
        "mov rsp, [rip + {parked}]",
        "jmp {read}",
        parked = sym PARKED,
        read = sym read,
    )
}

/// The second half of [`exchange`].
#[unsafe(naked)]
unsafe extern "C" fn read() -> isize {
    naked_asm!(
        "2:",
        "xor eax, eax",
        "mov edi, {socket}",
        "mov rsi, [rsp + 8]",
        "mov rdx, [rsp]",
        "syscall",
        "cmp rax, -4", // EINTR
        "je 2b",
        "jmp {leave}",
        socket = const SOCKET,
        leave = sym leave,
    )
}

/// The end of [`exchange`].
#[unsafe(naked)]
unsafe extern "C" fn leave() -> isize {
    naked_asm!("add rsp, 16", "pop r15", "pop r14", "pop r13", "pop r12", "pop rbx", "pop rbp", "ret",)
}
