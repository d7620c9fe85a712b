//! The stack of the guest, and the switch to it and back.
//!
//! Hyperlight begins each call of the host at the top of the same stack. So that the host can get back in the midst of a
//! program, and can return to it with another call, the guest has a stack of its own. While a program is paused, its calls
//! are still on that stack, and nothing here calls Wasmtime.

use alloc::vec::Vec;
use core::{arch::naked_asm, cell::UnsafeCell};

use isolette_abi::runtime::RunReply;
use isolette_instance::NATIVE_STACK;

use crate::{address_space, run_program};

/// The value that one side passes to the other when it switches.
pub(crate) enum Handed {
    /// To the guest: a program, and the memory limit in bytes.
    Program(Vec<u8>, u64),
    /// To the guest that is paused: the host's reply.
    Reply(Vec<u8>),
    /// From the guest: the program has ended.
    Ended(RunReply),
    /// From the guest: the program waits for a reply that comes later.
    Paused,
}

struct State {
    /// The address on its stack with which the guest continues.
    guest: usize,
    /// The address on its stack with which the call of the host continues.
    entry: usize,
    handed: Option<Handed>,
}

struct SingleThreaded(UnsafeCell<State>);

// SAFETY: there is one processor and one thread.
unsafe impl Sync for SingleThreaded {}

static STATE: SingleThreaded = SingleThreaded(UnsafeCell::new(State { guest: 0, entry: 0, handed: None }));

fn state() -> &'static mut State {
    // SAFETY: there is one thread, and no function of this module keeps the reference over a switch.
    unsafe { &mut *STATE.0.get() }
}

/// Makes the stack. `None` if there are no addresses for it.
pub(crate) fn create() -> Option<()> {
    let start = address_space::reserve(NATIVE_STACK)?;
    address_space::make_accessible(start..start + NATIVE_STACK);
    // What `switch` takes from it: six registers, and the address where it returns to. Above that, where a function expects
    // its own return address, 8 bytes below a multiple of 16, are zeros: `begin` does not return.
    let returns_to = start + NATIVE_STACK - 2 * size_of::<usize>();
    let first = returns_to - 6 * size_of::<usize>();
    // SAFETY: the page is accessible, is backed with zeros on the first access, and nothing else uses it.
    unsafe { (returns_to as *mut usize).write(begin as *const () as usize) };
    state().guest = first;
    Some(())
}

/// Continues on the guest's stack until it hands something over. To be called on the stack of the host's call.
pub(crate) fn enter(handed: Handed) -> Option<Handed> {
    let state = state();
    state.handed = Some(handed);
    let (from, to) = (&raw mut state.entry, state.guest);
    // SAFETY: `create` or the last switch stored it.
    unsafe { switch(from, to) };
    self::state().handed.take()
}

/// Continues in the host's call, until the host calls again. To be called on the guest's stack.
fn leave(handed: Handed) -> Option<Handed> {
    let state = state();
    state.handed = Some(handed);
    let (from, to) = (&raw mut state.guest, state.entry);
    // SAFETY: the last switch to this stack stored it, and that call of the host has not returned.
    unsafe { switch(from, to) };
    self::state().handed.take()
}

/// Pauses the program until the host has a reply. `None` if the host passes something else.
pub(crate) fn pause() -> Option<Vec<u8>> {
    match leave(Handed::Paused) {
        Some(Handed::Reply(reply)) => Some(reply),
        _ => None,
    }
}

/// The first function on the guest's stack: runs one program after the other.
extern "C" fn begin() -> ! {
    let mut given = state().handed.take();
    loop {
        let reply = match given {
            Some(Handed::Program(message, memory_limit)) => run_program(message, memory_limit),
            _ => panic!("there is no program to continue"),
        };
        given = leave(Handed::Ended(reply));
    }
}

/// Stores the address of this stack, with the registers on it that functions keep, and continues on another one.
///
/// # Safety
/// `from` must be valid for a write, and `to` must be of another stack, where this function or [`create`] stored it.
#[unsafe(naked)]
unsafe extern "C" fn switch(from: *mut usize, to: usize) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
