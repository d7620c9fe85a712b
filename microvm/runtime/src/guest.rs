//! The image's component, and the two functions that the host calls.

use alloc::{format, string::String, vec::Vec};
use core::cell::RefCell;

use hyperlight_common::flatbuffer_wrappers::guest_error::ErrorCode;
use hyperlight_guest::error::HyperlightGuestError;
use hyperlight_guest_bin::host_comm::call_host;
use isolette_abi::{HANDLE_LIMIT, MESSAGE_LIMIT};
use wasmtime::{
    Error, Result, Store, Trap,
    component::{Linker, TypedFunc},
};

use crate::{code, memory::Memory};

/// How a run ended: the first byte of what `run` returns. Eight bytes with the most memory that the guest has had (little
/// endian) follow, then the reply or, where there is none, a text.
const ENDED: u8 = 0;
const STOPPED: u8 = 1;
const OUT_OF_MEMORY: u8 = 2;
const STACK_OVERFLOW: u8 = 3;
const CRASHED: u8 = 4;

/// What the host's function `call` puts before its reply. Anything else means that the guest has to end.
const REPLY: u8 = 0;

struct Guest {
    store: Store<Memory>,
    run: TypedFunc<(Vec<u8>,), (Vec<u8>,)>,
}

struct Only(RefCell<Option<Guest>>);

// SAFETY: there is one thread.
unsafe impl Sync for Only {}

static ONLY: Only = Only(RefCell::new(None));

/// Makes the image's code at a physical address the guest.
pub(crate) fn load(address: u64, length: u64) -> Result<(), HyperlightGuestError> {
    let guest = instantiate(address as usize, length as usize)
        .map_err(|error| HyperlightGuestError::new(ErrorCode::GuestError, format!("{error:#}")))?;
    *ONLY.0.borrow_mut() = Some(guest);
    Ok(())
}

fn instantiate(address: usize, length: usize) -> Result<Guest> {
    let engine = code::engine()?;
    let component = code::component(&engine, address, length)?;
    let mut linker = Linker::<Memory>::new(&engine);
    linker
        .instance("isolette:waist/host@0.1.0")?
        .func_wrap("call", |_, (message,): (Vec<u8>,)| call(message).map(|reply| (reply,)))?;
    let mut store = Store::new(&engine, Memory::unlimited());
    store.limiter(|memory| memory);
    store.set_max_component_handles(HANDLE_LIMIT);
    // A message is copied before the host sees how long it is; the host's answer to a longer one is the same.
    store.set_hostcall_fuel(2 * MESSAGE_LIMIT);
    let instance = linker.instantiate(&mut store, &component)?;
    let function = instance
        .get_export_index(&mut store, None, "isolette:waist/guest@0.1.0")
        .and_then(|interface| instance.get_export_index(&mut store, Some(&interface), "run"))
        .ok_or_else(|| Error::msg("the image does not export isolette:waist/guest.run"))?;
    let run = instance.get_typed_func(&mut store, function)?;
    Ok(Guest { store, run })
}

/// Runs one program.
pub(crate) fn run(message: Vec<u8>, memory_limit: u64) -> Vec<u8> {
    let mut only = ONLY.0.borrow_mut();
    let Some(guest) = only.as_mut() else {
        return reply(CRASHED, 0, b"no image is loaded");
    };
    if !guest.store.data_mut().limit_to(memory_limit) {
        return reply(OUT_OF_MEMORY, guest.store.data().peak, &[]);
    }
    let result = guest
        .run
        .call(&mut guest.store, (message,))
        .and_then(|(bytes,)| guest.run.post_return(&mut guest.store).map(|()| bytes));
    let memory = guest.store.data();
    match result {
        Ok(bytes) => reply(ENDED, memory.peak, &bytes),
        Err(error) => {
            let (status, text) = classify(&error, memory);
            reply(status, memory.peak, text.as_bytes())
        }
    }
}

fn reply(status: u8, peak: u64, bytes: &[u8]) -> Vec<u8> {
    let mut reply = Vec::with_capacity(9 + bytes.len());
    reply.push(status);
    reply.extend_from_slice(&peak.to_le_bytes());
    reply.extend_from_slice(bytes);
    reply
}

/// One message to the host and its reply.
fn call(message: Vec<u8>) -> Result<Vec<u8>> {
    let mut reply: Vec<u8> = call_host("call", (message,)).map_err(|error| Error::msg(error.message))?;
    match reply.first() {
        Some(&REPLY) => Ok(reply.split_off(1)),
        _ => Err(Error::new(Stopped)),
    }
}

/// The host ended the guest. Why is the host's own business.
#[derive(Debug)]
struct Stopped;

impl core::fmt::Display for Stopped {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.write_str("the host ended the guest")
    }
}

impl core::error::Error for Stopped {}

fn classify(error: &Error, memory: &Memory) -> (u8, String) {
    if error.is::<Stopped>() {
        return (STOPPED, String::new());
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::StackOverflow) => (STACK_OVERFLOW, String::new()),
        // An interpreter that gets no memory and cannot say so in its own language aborts.
        _ if memory.refused => (OUT_OF_MEMORY, String::new()),
        // The stack that C code keeps in linear memory lies at its bottom, so that it ends here and not in other data.
        Some(Trap::MemoryOutOfBounds) => {
            (CRASHED, "memory access out of bounds, as when calls are nested too deeply".into())
        }
        Some(trap) => (CRASHED, format!("{trap}")),
        None => (CRASHED, format!("{error:#}")),
    }
}
