//! Faults of the processor: the first access to a page, and instructions that end a guest.

use core::sync::atomic::Ordering;

use hyperlight_guest_bin::exception::arch::{Context, ExceptionInfo, HANDLERS};

use crate::address_space;

const DIVIDE_ERROR: usize = 0;
const INVALID_OPCODE: usize = 6;
const PAGE_FAULT: usize = 14;

/// Set in the error code of a page fault if the page is mapped and does not permit the access.
const PROTECTION: u64 = 1;

/// Positions of registers in `Context::gprs`: they are pushed from `rax` to `r15`, so the last one comes first.
const RBP: usize = 8;
const RDI: usize = 9;
const RSI: usize = 10;
const RDX: usize = 11;
const RCX: usize = 12;

/// Installs handlers of the faults that a guest can cause.
pub(crate) fn install() {
    HANDLERS[PAGE_FAULT].store(on_page_fault as *const () as u64, Ordering::Release);
    for vector in [DIVIDE_ERROR, INVALID_OPCODE] {
        HANDLERS[vector].store(on_trap as *const () as u64, Ordering::Release);
    }
}

fn on_page_fault(_: u64, info: *mut ExceptionInfo, context: *mut Context, address: u64) -> bool {
    // SAFETY: the caller's pointers refer to the registers that it saved on this stack.
    let error = unsafe { (&raw const (*info).error_code).read_volatile() };
    if error & PROTECTION == 0 && address_space::back(address as usize) {
        return true;
    }
    // SAFETY: as above.
    unsafe { continue_in_trap(info, context, Some(address)) };
    true
}

fn on_trap(_: u64, info: *mut ExceptionInfo, context: *mut Context, _: u64) -> bool {
    // SAFETY: the caller's pointers refer to the registers that it saved on this stack.
    unsafe { continue_in_trap(info, context, None) };
    true
}

/// Makes the processor continue in [`isolette_runtime::trap`], as if the faulting instruction had called it.
///
/// # Safety
/// Both pointers must refer to the registers that the processor restores when the handler returns.
unsafe fn continue_in_trap(info: *mut ExceptionInfo, context: *mut Context, address: Option<u64>) {
    // SAFETY: see above. Volatile, because the compiler does not know the assembly code that reads them.
    unsafe {
        let registers = &raw mut (*context).gprs;
        let set = |index: usize, value: u64| (&raw mut (*registers)[index]).write_volatile(value);
        set(RDI, (&raw const (*info).rip).read_volatile());
        set(RSI, (&raw const (*registers)[RBP]).read_volatile());
        set(RDX, u64::from(address.is_some()));
        set(RCX, address.unwrap_or(0));
        // At the start of a function, the stack is aligned to 16 bytes, less the return address.
        let stack = (&raw const (*info).rsp).read_volatile();
        (&raw mut (*info).rsp).write_volatile((stack & !15) - 8);
        (&raw mut (*info).rip).write_volatile(isolette_runtime::trap as *const () as u64);
    }
}
