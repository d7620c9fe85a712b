//! The guest: one instance of an image, which runs one program after the other.

use alloc::{format, string::String, vec::Vec};

use isolette_abi::{HANDLE_LIMIT, MESSAGE_LIMIT};
use wasmtime::{
    Engine, Error, Result, Store, Trap,
    component::{Component, Linker, TypedFunc},
};

use crate::memory::Memory;

/// How a run ended: the first byte of what `run` returns. Eight bytes with the most memory that the guest has had (little
/// endian) follow, then the reply or, where there is none, a text.
const ENDED: u8 = 0;
const STOPPED: u8 = 1;
const OUT_OF_MEMORY: u8 = 2;
const STACK_OVERFLOW: u8 = 3;
const CRASHED: u8 = 4;

/// The status with which a run ends that no guest could start.
pub(crate) fn crashed(text: &str) -> Vec<u8> {
    reply(CRASHED, 0, text.as_bytes())
}

/// Sends a message of the guest's to the host and returns the reply, or [`Stopped`] if the host ended the guest.
pub(crate) type CallHost = fn(Vec<u8>) -> Result<Vec<u8>>;

pub(crate) struct Guest {
    store: Store<Memory>,
    run: TypedFunc<(Vec<u8>,), (Vec<u8>,)>,
}

impl Guest {
    pub(crate) fn new(engine: &Engine, component: &Component, call_host: CallHost) -> Result<Self> {
        let mut linker = Linker::<Memory>::new(engine);
        linker
            .instance("isolette:waist/host@0.1.0")?
            .func_wrap("call", move |_, (message,): (Vec<u8>,)| call_host(message).map(|reply| (reply,)))?;
        let mut store = Store::new(engine, Memory::unlimited());
        store.limiter(|memory| memory);
        store.set_max_component_handles(HANDLE_LIMIT);
        // A message is copied before the host sees how long it is; the host's answer to a longer one is the same.
        store.set_hostcall_fuel(2 * MESSAGE_LIMIT);
        let instance = linker.instantiate(&mut store, component)?;
        let function = instance
            .get_export_index(&mut store, None, "isolette:waist/guest@0.1.0")
            .and_then(|interface| instance.get_export_index(&mut store, Some(&interface), "run"))
            .ok_or_else(|| Error::msg("the image does not export isolette:waist/guest.run"))?;
        let run = instance.get_typed_func(&mut store, function)?;
        Ok(Self { store, run })
    }

    /// Runs one program.
    pub(crate) fn run(&mut self, message: Vec<u8>, memory_limit: u64) -> Vec<u8> {
        if !self.store.data_mut().limit_to(memory_limit) {
            return reply(OUT_OF_MEMORY, self.store.data().peak, &[]);
        }
        let result = self
            .run
            .call(&mut self.store, (message,))
            .and_then(|(bytes,)| self.run.post_return(&mut self.store).map(|()| bytes));
        let memory = self.store.data();
        match result {
            Ok(bytes) => reply(ENDED, memory.peak, &bytes),
            Err(error) => {
                let (status, text) = classify(&error, memory);
                reply(status, memory.peak, text.as_bytes())
            }
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

/// The host ended the guest. Only the host knows the reason.
#[derive(Debug)]
pub(crate) struct Stopped;

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
        // An interpreter that gets no memory and cannot report it in its own language aborts.
        _ if memory.refused => (OUT_OF_MEMORY, String::new()),
        // The stack that C code keeps in linear memory is at its bottom, so an overflow ends here and does not reach
        // other data.
        Some(Trap::MemoryOutOfBounds) => {
            (CRASHED, "memory access out of bounds, as when calls are nested too deeply".into())
        }
        Some(trap) => (CRASHED, format!("{trap}")),
        None => (CRASHED, format!("{error:#}")),
    }
}
