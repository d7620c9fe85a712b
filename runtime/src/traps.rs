//! Faults of the processor in a guest's code, which Wasmtime turns into errors.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::status::DONE;

/// Wasmtime's fault handler. It returns only if the fault was not caused by a guest.
type TrapHandler = extern "C" fn(instruction: usize, frame: usize, has_address: bool, address: usize);

static TRAP_HANDLER: AtomicUsize = AtomicUsize::new(0);

#[unsafe(no_mangle)]
extern "C" fn wasmtime_init_traps(handler: TrapHandler) -> i32 {
    TRAP_HANDLER.store(handler as usize, Relaxed);
    DONE
}

/// The code with which a guest continues after a fault, on its own stack, as if the faulting instruction had called it.
pub extern "C" fn trap(instruction: usize, frame: usize, has_address: bool, address: usize) -> ! {
    let handler = TRAP_HANDLER.load(Relaxed);
    if handler != 0 {
        // SAFETY: `wasmtime_init_traps` stored a function of this type.
        let handler: TrapHandler = unsafe { core::mem::transmute(handler) };
        handler(instruction, frame, has_address, address);
    }
    // A fault in the runtime itself ends it.
    panic!("fault at {instruction:#x}, address {address:#x}")
}
