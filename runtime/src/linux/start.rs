//! The entry of the program, and its two stacks.
//!
//! The process that starts others works on the stack that the kernel made, whose address is different in each process. Only
//! the guest is created, and runs, on a stack in the region. So nothing changes in memory that a guest has a copy of once the
//! guest exists, however many processes are started.

use core::arch::naked_asm;

use isolette_instance::NATIVE_STACK;

use crate::{
    address_space,
    failure::fail,
    fault, fork_server,
    system_calls::{self, Errno},
};

#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    naked_asm!("xor ebp, ebp", "and rsp, -16", "call {start}", "ud2", start = sym start)
}

extern "C" fn start() -> ! {
    match prepare() {
        Ok(Some(stack)) => fork_server::serve(stack + NATIVE_STACK),
        Ok(None) => fail(format_args!("there are no addresses for a stack")),
        Err(Errno(number)) => fail(format_args!("cannot prepare memory: error {number} of the system")),
    }
}

fn prepare() -> Result<Option<usize>, Errno> {
    system_calls::keep_pages_apart();
    address_space::reserve_region()?;
    fault::install()?;
    let Some(stack) = address_space::reserve(NATIVE_STACK) else { return Ok(None) };
    system_calls::make_accessible(stack, NATIVE_STACK)?;
    Ok(Some(stack))
}

/// Calls a function on another stack.
///
/// # Safety
/// `top` must be the end of memory that nothing else uses.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn call_on(top: usize, function: extern "C" fn()) {
    naked_asm!("push rbp", "mov rbp, rsp", "mov rsp, rdi", "call rsi", "mov rsp, rbp", "pop rbp", "ret")
}

/// Continues with a function on another stack.
///
/// # Safety
/// The conditions of [`call_on`].
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn continue_on(top: usize, function: extern "C" fn() -> !) -> ! {
    naked_asm!("mov rsp, rdi", "xor ebp, ebp", "call rsi", "ud2")
}
