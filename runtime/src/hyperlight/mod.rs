//! The runtime in a micro-VM of Hyperlight.
//!
//! A micro-VM has one processor, one thread and one address space, and is restored instead of cleaned up: memory that is
//! allocated here is never freed, and only faults interrupt the code.

mod address_space;
mod fault;
mod jump;
mod platform;
mod touched;

use alloc::{format, sync::Arc, vec::Vec};
use core::{cell::RefCell, ptr::NonNull};

use hyperlight_common::flatbuffer_wrappers::guest_error::ErrorCode;
use hyperlight_guest::error::HyperlightGuestError;
use hyperlight_guest_bin::{guest_function::register::register_fn, host_comm::call_host};
use wasmtime::{CustomCodeMemory, Engine, Error, Result};

use crate::{
    code,
    guest::{Guest, Stopped, crashed},
};
use address_space::PAGE;

/// The first byte of a reply of the host's function `call`. Any other means that the guest has to end.
const REPLY: u8 = 0;

struct Only(RefCell<Option<Guest>>);

// SAFETY: there is one thread.
unsafe impl Sync for Only {}

static GUEST: Only = Only(RefCell::new(None));

/// Called once, when the micro-VM starts.
#[unsafe(no_mangle)]
extern "C" fn hyperlight_main() {
    fault::install();
    register_fn("load", load);
    register_fn("run", run);
    register_fn("touched", touched::list);
    register_fn("remember", touched::remember);
    register_fn("touch", touched::touch);
}

/// Makes the image's code at a physical address the guest.
fn load(address: u64, length: u64) -> Result<(), HyperlightGuestError> {
    let guest = guest(address as usize, length as usize)
        .map_err(|error| HyperlightGuestError::new(ErrorCode::GuestError, format!("{error:#}")))?;
    *GUEST.0.borrow_mut() = Some(guest);
    Ok(())
}

fn guest(address: usize, length: usize) -> Result<Guest> {
    let mut settings = code::settings();
    settings.with_custom_code_memory(Some(Arc::new(AlreadyExecutable)));
    let engine = Engine::new(&settings)?;
    address_space::map_code(address, length);
    let code = NonNull::new(core::ptr::slice_from_raw_parts_mut(address as *mut u8, length))
        .ok_or_else(|| Error::msg("there is no code at address zero"))?;
    // SAFETY: the host has compared the code with the digest in the image's manifest, and code is trusted like a binary.
    // It stays mapped as long as the micro-VM exists.
    let component = unsafe { code::component(&engine, code)? };
    Guest::new(&engine, &component, call)
}

/// Runs one program.
fn run(message: Vec<u8>, memory_limit: u64) -> Vec<u8> {
    match GUEST.0.borrow_mut().as_mut() {
        Some(guest) => guest.run(message, memory_limit),
        None => crashed("no image is loaded"),
    }
}

/// Sends a message to the host and returns the reply.
fn call(message: Vec<u8>) -> Result<Vec<u8>> {
    let mut reply: Vec<u8> = call_host("call", (message,)).map_err(|error| Error::msg(error.message))?;
    match reply.first() {
        Some(&REPLY) => Ok(reply.split_off(1)),
        _ => Err(Error::new(Stopped)),
    }
}

/// Code is mapped for execution, and never for writing, before Wasmtime gets it.
struct AlreadyExecutable;

impl CustomCodeMemory for AlreadyExecutable {
    fn required_alignment(&self) -> usize {
        PAGE
    }

    fn publish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }

    fn unpublish_executable(&self, _: *const u8, _: usize) -> Result<()> {
        Ok(())
    }
}
