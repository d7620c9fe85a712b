//! Host calls.
//!
//! This module alone encodes calls and decodes replies. A malformed reply can only come from a bug in the host, so the instance
//! traps.

pub(crate) use isolette_abi::host_call::HostCall;
use isolette_abi::{CHUNK_LIMIT, Call, MESSAGE_LIMIT, Payload, decode, encode_into, host_call, system};
use serde::Deserialize;

use crate::{
    bindings::isolette::waist::host,
    submissions::{Bytes, Tickets},
};

/// The import of this component.
pub(crate) struct Host;

impl HostCall for Host {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        host::call(message)
    }
}

/// The message would exceed the limit.
pub(crate) struct TooLong;

/// The import, and the state of host calls.
pub(crate) struct HostCalls {
    import: Box<dyn HostCall>,
    buffer: Vec<u8>,
    running: bool,
    count: u64,
    pub(crate) tickets: Tickets,
    /// The line of the program that makes the next calls; 0 if it is not known.
    pub(crate) line: u32,
    /// The wall clock when it was last read, plus one nanosecond for each modification time since.
    timestamp: Option<u64>,
}

/// The encoded reply of a call.
pub(crate) struct Reply(Vec<u8>);

impl Reply {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn read<'a, T: Deserialize<'a>>(&'a self) -> T {
        decode(&self.0).unwrap_or_else(|_| malformed_reply())
    }
}

impl HostCalls {
    pub(crate) fn new(import: Box<dyn HostCall>) -> Self {
        Self {
            import,
            buffer: Vec::new(),
            running: false,
            count: 0,
            tickets: Tickets::default(),
            line: 0,
            timestamp: None,
        }
    }

    /// Whether a run is in progress. Outside of a run there are no host calls.
    pub(crate) fn is_running(&self) -> bool {
        self.running
    }

    pub(crate) fn set_running(&mut self, running: bool) {
        self.running = running;
        self.line = 0;
        self.timestamp = None;
        self.tickets = Tickets::default();
    }

    /// The number of calls so far. While it is unchanged, the guest has changed nothing outside of the instance.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Makes a call whose length the guest can choose. Calls that were submitted before it are sent first.
    pub(crate) fn try_call(&mut self, call: &Call<'_>) -> Result<Reply, TooLong> {
        let asks = matches!(call, Call::System(system) if !matches!(system, system::Call::Sleep(_)));
        if self.has_queued() && !asks {
            self.exchange(None);
        }
        self.send(call)
    }

    /// Makes a call before those that were submitted.
    pub(crate) fn send(&mut self, call: &Call<'_>) -> Result<Reply, TooLong> {
        let mut message = encode_into(std::mem::take(&mut self.buffer), call);
        if message.len() > MESSAGE_LIMIT {
            return Err(TooLong);
        }
        self.count += 1;
        let reply = Reply(self.import.call(&message));
        message.clear();
        self.buffer = message;
        Ok(reply)
    }

    /// Makes a call that always fits a message.
    pub(crate) fn call(&mut self, call: &Call<'_>) -> Reply {
        self.try_call(call).unwrap_or_else(|TooLong| malformed_reply())
    }

    /// Makes `bytes` part of a message whose other fields take `beside` bytes. `None` if the host does not store that much.
    pub(crate) fn payload<'a>(&mut self, bytes: &'a [u8], beside: usize) -> Option<Payload<'a>> {
        // Tags and lengths of all fields together are far below this.
        const FRAME: usize = 1024;
        let room = MESSAGE_LIMIT.saturating_sub(beside).saturating_sub(FRAME).min(CHUNK_LIMIT);
        if bytes.len() <= room || bytes.is_empty() {
            return Some(Payload::Inline(bytes));
        }
        let handle = host_call::store(&mut *self.import, bytes).unwrap_or_else(|_| malformed_reply())?;
        Some(Payload::Stored { handle, length: bytes.len() as u64 })
    }

    /// The same for bytes that a queue keeps.
    pub(crate) fn own_payload(&mut self, bytes: Vec<u8>, beside: usize) -> Option<Bytes> {
        Some(match self.payload(&bytes, beside)? {
            Payload::Stored { handle, length } => Bytes::Stored { handle, length },
            Payload::Inline(_) => Bytes::Here(bytes),
        })
    }

    /// Returns the bytes of a payload of the host.
    pub(crate) fn fetch(&mut self, payload: Payload<'_>) -> Vec<u8> {
        host_call::fetch(&mut *self.import, payload).unwrap_or_else(|_| malformed_reply())
    }

    /// The same for a payload that must be UTF-8.
    pub(crate) fn fetch_text(&mut self, payload: Payload<'_>) -> String {
        String::from_utf8(self.fetch(payload)).unwrap_or_else(|_| malformed_reply())
    }

    /// Releases a payload that is not part of a call after all.
    pub(crate) fn release(&mut self, payload: Payload<'_>) {
        if let Payload::Stored { handle, .. } = payload {
            host_call::release(&mut *self.import, handle).unwrap_or_else(|_| malformed_reply());
        }
    }

    pub(crate) fn set_time(&mut self, now: u64) {
        self.timestamp = Some(now);
    }

    pub(crate) fn next_timestamp(&mut self) -> Option<u64> {
        let timestamp = self.timestamp.as_mut()?;
        *timestamp += 1;
        Some(*timestamp)
    }
}

/// Ends the instance immediately.
#[cfg(target_arch = "wasm32")]
pub(crate) fn trap() -> ! {
    core::arch::wasm32::unreachable()
}

/// Ends the test immediately.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn trap() -> ! {
    panic!("the instance trapped")
}

/// Ends the instance after a malformed reply.
pub(crate) fn malformed_reply() -> ! {
    trap()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Liar;

    impl HostCall for Liar {
        fn call(&mut self, _: &[u8]) -> Vec<u8> {
            vec![0xff; 3]
        }
    }

    #[test]
    #[should_panic(expected = "the instance trapped")]
    fn a_reply_that_breaks_the_contract_is_never_used() {
        let mut calls = HostCalls::new(Box::new(Liar));
        calls.call(&Call::System(system::Call::WallClock)).read::<u64>();
    }

    #[test]
    #[should_panic(expected = "the instance trapped")]
    fn a_missing_payload_is_a_malformed_reply() {
        HostCalls::new(Box::new(Liar)).fetch(Payload::Stored { handle: 1, length: u64::MAX });
    }
}
