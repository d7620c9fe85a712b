//! The runtime in a micro-VM of Hyperlight.
//!
//! A micro-VM has one processor, one thread and one address space, and is restored instead of cleaned up: memory that is
//! allocated here is never freed, and only faults interrupt the code.

#![no_std]
#![no_main]

extern crate alloc;

mod address_space;
mod fault;
mod platform;
mod prefault;
mod stack;

use alloc::{format, vec::Vec};
use core::{cell::RefCell, ptr::NonNull};

use hyperlight_common::flatbuffer_wrappers::guest_error::ErrorCode;
use hyperlight_guest::error::HyperlightGuestError;
use hyperlight_guest_bin::{guest_function::register::register_fn, host_comm::call_host};
use isolette_abi::runtime::{Failure, HostReply, RunReply, functions};
use isolette_instance::{Host, Stopped};
use isolette_runtime::{Guest, memory_limit};
use wasmtime::{Engine, Error, Result};

use self::stack::Handed;

struct SingleThreaded(RefCell<Option<Guest<HyperlightHost>>>);

// SAFETY: there is one thread.
unsafe impl Sync for SingleThreaded {}

static GUEST: SingleThreaded = SingleThreaded(RefCell::new(None));

/// Called once, when the micro-VM starts.
#[unsafe(no_mangle)]
extern "C" fn hyperlight_main() {
    fault::install();
    register_fn(functions::LOAD, load);
    register_fn(functions::RUN, run);
    register_fn(functions::RESUME, resume);
    register_fn(functions::WRITTEN_PAGES, prefault::written_pages);
    register_fn(functions::SET_PREFAULT_PAGES, prefault::set_pages);
    register_fn(functions::PREFAULT, prefault::prefault);
}

/// Makes the image's code at a physical address the guest.
fn load(address: u64, length: u64) -> Result<(), HyperlightGuestError> {
    let error = |text| HyperlightGuestError::new(ErrorCode::GuestError, text);
    stack::create().ok_or_else(|| error("there are no addresses for a stack".into()))?;
    let guest = guest(address as usize, length as usize).map_err(|failed| error(format!("{failed:#}")))?;
    *GUEST.0.borrow_mut() = Some(guest);
    Ok(())
}

fn guest(address: usize, length: usize) -> Result<Guest<HyperlightHost>> {
    let engine = Engine::new(&isolette_runtime::settings())?;
    address_space::map_code(address, length);
    let code = NonNull::new(core::ptr::slice_from_raw_parts_mut(address as *mut u8, length))
        .ok_or_else(|| Error::msg("there is no code at address zero"))?;
    // SAFETY: the host has compared the code with the digest in the image's manifest, and code is trusted like a binary.
    // It stays mapped as long as the micro-VM exists.
    let component = unsafe { isolette_runtime::component(&engine, code)? };
    Guest::new(&component, HyperlightHost)
}

/// Runs one program until it ends or is paused.
fn run(message: Vec<u8>, memory_limit: u64) -> Vec<u8> {
    advance(Handed::Program(message, memory_limit))
}

/// Continues the program that is paused with the host's reply.
fn resume(reply: Vec<u8>) -> Vec<u8> {
    advance(Handed::Reply(reply))
}

fn advance(handed: Handed) -> Vec<u8> {
    match stack::enter(handed) {
        Some(Handed::Ended(reply)) => reply.encode(),
        // A reply of a run is never empty.
        _ => Vec::new(),
    }
}

/// Runs one program to its end. To be called on the guest's stack.
fn run_program(message: Vec<u8>, memory_limit: u64) -> RunReply {
    match GUEST.0.borrow_mut().as_mut() {
        Some(guest) => guest.run(message, memory_limit),
        None => RunReply { memory_peak: 0, result: Err(Failure::Crashed("no image is loaded".into())) },
    }
}

/// The host, which a micro-VM reaches through the one function that Hyperlight exposes.
struct HyperlightHost;

impl Host for HyperlightHost {
    fn call(&self, message: &[u8]) -> Result<Vec<u8>> {
        let mut reply = call_host(functions::CALL, (message.to_vec(),)).map_err(|error| Error::msg(error.message))?;
        loop {
            reply = match HostReply::decode(reply) {
                HostReply::Reply(reply) => return Ok(reply),
                HostReply::ReplyAfterPause(limit, reply) => {
                    memory_limit::keep(limit);
                    return Ok(reply);
                }
                HostReply::Stop => return Err(Error::new(Stopped)),
                HostReply::Pause => stack::pause().ok_or_else(|| Error::new(Stopped))?,
            }
        }
    }

    fn new_memory_limit(&self) -> Option<u64> {
        memory_limit::take()
    }
}
