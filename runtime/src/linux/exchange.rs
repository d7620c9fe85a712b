//! The one place in which a guest waits for the host.
//!
//! Before a message is written, everything that is needed to go on with its answer is in memory: the registers are on the
//! stack, and the address of the stack is in [`PARKED`]. Nothing in memory changes until the answer is read. So whenever the
//! host holds a whole message, the memory of this process can be copied, and another process that has the copy goes on with
//! [`resume`] as this one does.

use core::{arch::naked_asm, sync::atomic::AtomicUsize};

use crate::channel::SOCKET;

/// The top of the stack of a process that waits.
static PARKED: AtomicUsize = AtomicUsize::new(0);

/// Writes `length` bytes to the socket, then reads at most `capacity` bytes. Returns their number, 0 at the end, or less
/// after an error.
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
        "mov r12, rdi",
        "mov r13, rsi",
        "2:",
        "test r13, r13",
        "jz {read}",
        "mov eax, 1",
        "mov edi, {socket}",
        "mov rsi, r12",
        "mov rdx, r13",
        "syscall",
        "cmp rax, -4", // EINTR
        "je 2b",
        "test rax, rax",
        "js {leave}",
        "add r12, rax",
        "sub r13, rax",
        "jmp 2b",
        parked = sym PARKED,
        socket = const SOCKET,
        read = sym read,
        leave = sym leave,
    )
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
