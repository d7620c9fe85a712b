//! Signals of faults, which only a guest causes: it continues in [`isolette_runtime::trap`].

use core::{arch::naked_asm, cell::UnsafeCell, ffi::c_void};

use crate::system_calls::{self, Errno, SignalAction};

const SIGILL: i32 = 4;
const SIGBUS: i32 = 7;
const SIGFPE: i32 = 8;
const SIGSEGV: i32 = 11;

const SA_SIGINFO: usize = 0x4;
const SA_RESTORER: usize = 0x0400_0000;
const SA_ONSTACK: usize = 0x0800_0000;
const SA_NODEFER: usize = 0x4000_0000;

/// Bytes of the stack for signals. The largest part of it are the registers that the kernel saves.
const STACK: usize = 64 << 10;

#[repr(align(4096))]
struct Stack(UnsafeCell<[u8; STACK]>);

// SAFETY: only the kernel and the handler use it.
unsafe impl Sync for Stack {}

static SIGNAL_STACK: Stack = Stack(UnsafeCell::new([0; STACK]));

/// Installs handlers of the faults that a guest can cause.
pub(crate) fn install() -> Result<(), Errno> {
    // The host may have blocked some. A fault that is blocked would end the process at once.
    system_calls::unblock_signals()?;
    // SAFETY: nothing else uses this memory.
    unsafe { system_calls::set_signal_stack(SIGNAL_STACK.0.get() as usize, STACK)? };
    for signal in [SIGILL, SIGBUS, SIGFPE, SIGSEGV] {
        let action = SignalAction {
            handler: on_fault as *const () as usize,
            flags: SA_SIGINFO | SA_RESTORER | SA_ONSTACK | SA_NODEFER,
            restorer: restore as *const () as usize,
            mask: 0,
        };
        // SAFETY: the handler is for signals with information.
        unsafe { system_calls::set_signal_action(signal, &action)? };
    }
    Ok(())
}

/// `siginfo_t` of the kernel, up to the address of the fault.
#[repr(C)]
struct Information {
    _signal: i32,
    _error: i32,
    _code: i32,
    _padding: i32,
    address: usize,
}

/// `ucontext` of the kernel, up to the registers.
#[repr(C)]
struct Context {
    _flags: u64,
    _link: u64,
    _stack: [u64; 3],
    registers: [u64; 17],
}

/// Positions in `Context::registers`.
const RDI: usize = 8;
const RSI: usize = 9;
const RBP: usize = 10;
const RDX: usize = 12;
const RCX: usize = 14;
const RSP: usize = 15;
const RIP: usize = 16;

extern "C" fn on_fault(signal: i32, information: *const Information, context: *mut c_void) {
    let context: *mut Context = context.cast();
    let has_address = matches!(signal, SIGSEGV | SIGBUS);
    // SAFETY: the kernel passes pointers to these structures, and restores the registers from there when this returns.
    unsafe {
        let registers = &raw mut (*context).registers;
        let get = |index: usize| (&raw const (*registers)[index]).read_volatile();
        let set = |index: usize, value: u64| (&raw mut (*registers)[index]).write_volatile(value);
        set(RDI, get(RIP));
        set(RSI, get(RBP));
        set(RDX, u64::from(has_address));
        set(RCX, if has_address { (*information).address as u64 } else { 0 });
        // At the start of a function, the stack is aligned to 16 bytes, less the return address.
        set(RSP, (get(RSP) & !15) - 8);
        set(RIP, isolette_runtime::trap as *const () as u64);
    }
}

/// Returns from a handler. The kernel requires a function for it.
#[unsafe(naked)]
extern "C" fn restore() {
    naked_asm!("mov eax, 15", "syscall")
}
