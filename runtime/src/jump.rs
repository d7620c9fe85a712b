//! `setjmp` and `longjmp` for Wasmtime: leaves a guest in the middle of its code and returns to where it was entered.

use core::arch::naked_asm;

type Callback = extern "C" fn(*mut u8, *mut u8) -> bool;

/// Calls `callback(payload, callee)` and returns its result, or false if [`wasmtime_longjmp`] ended it.
///
/// # Safety
/// `buffer` must be valid for a write. [`wasmtime_longjmp`] may be called only during this call.
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn wasmtime_setjmp(
    buffer: *mut *const u8,
    callback: Callback,
    payload: *mut u8,
    callee: *mut u8,
) -> bool {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "sub rsp, 8",
        // All registers to restore are on the stack, so the buffer holds only its address.
        "mov [rdi], rsp",
        "mov rax, rsi",
        "mov rdi, rdx",
        "mov rsi, rcx",
        "call rax",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}

/// # Safety
/// `buffer` must come from a [`wasmtime_setjmp`] that has not returned.
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn wasmtime_longjmp(buffer: *const u8) -> ! {
    naked_asm!(
        "mov rsp, rdi",
        "xor eax, eax",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
