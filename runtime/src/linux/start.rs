//! The entry of the program.

use core::arch::naked_asm;

use isolette_instance::GUEST_STACK;

use crate::{
    address_space,
    failure::fail,
    fault, fork_server,
    system_calls::{self, Errno},
};

/// Bytes of the stack: a guest's, and what the runtime needs beneath and above it.
const STACK: usize = GUEST_STACK + (4 << 20);

#[unsafe(naked)]
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    naked_asm!("xor ebp, ebp", "and rsp, -16", "call {start}", "ud2", start = sym start)
}

/// Runs on the stack that the kernel made, whose address is different in each process.
extern "C" fn start() -> ! {
    match prepare() {
        // SAFETY: the stack is used by nothing else.
        Ok(Some(stack)) => unsafe { continue_on(stack + STACK) },
        Ok(None) => fail(format_args!("there are no addresses for a stack")),
        Err(Errno(number)) => fail(format_args!("cannot prepare memory: error {number} of the system")),
    }
}

fn prepare() -> Result<Option<usize>, Errno> {
    address_space::reserve_region()?;
    fault::install()?;
    let Some(stack) = address_space::reserve(STACK) else { return Ok(None) };
    system_calls::make_accessible(stack, STACK)?;
    Ok(Some(stack))
}

/// # Safety
/// `top` must be the end of memory that nothing else uses.
#[unsafe(naked)]
unsafe extern "C" fn continue_on(top: usize) -> ! {
    naked_asm!("mov rsp, rdi", "xor ebp, ebp", "call {main}", "ud2", main = sym main)
}

extern "C" fn main() -> ! {
    fork_server::serve()
}
