//! Asking the host.
//!
//! The only place that encodes calls and decodes replies. A reply that is not what the contract says can only come from
//! a bug in the host: the instance then traps, because every way on would be a guess.

pub(crate) use isolette_abi::host_call::HostCall;
use isolette_abi::{CHUNK_LIMIT, Call, MESSAGE_LIMIT, Payload, decode, encode_into, host_call};
use serde::Deserialize;

use crate::bindings::isolette::waist::host;

/// The import of this component.
pub(crate) struct Host;

impl HostCall for Host {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        host::call(message)
    }
}

/// The message would be longer than the contract allows.
pub(crate) struct TooLong;

/// The wall, and what has been learnt through it that needs no second question.
pub(crate) struct Wall {
    waist: Box<dyn HostCall>,
    buffer: Vec<u8>,
    live: bool,
    asked: u64,
    /// The wall clock when it was last read, moved on by one nanosecond for each stamp given out since.
    stamp: Option<u64>,
}

/// Bytes of a reply, to be read once its type is known.
pub(crate) struct Reply(Vec<u8>);

impl Reply {
    pub(crate) fn read<'a, T: Deserialize<'a>>(&'a self) -> T {
        decode(&self.0).unwrap_or_else(|_| contract_broken())
    }
}

impl Wall {
    pub(crate) fn new(waist: Box<dyn HostCall>) -> Self {
        Self { waist, buffer: Vec::new(), live: false, asked: 0, stamp: None }
    }

    /// Whether a run is on. Outside of one there is nobody to ask.
    pub(crate) fn live(&self) -> bool {
        self.live
    }

    pub(crate) fn set_live(&mut self, live: bool) {
        self.live = live;
        self.stamp = None;
    }

    /// How many questions there have been. As long as the number stays, nothing that the guest did has changed anything
    /// outside.
    pub(crate) fn asked(&self) -> u64 {
        self.asked
    }

    /// Asks something whose length the guest can choose.
    pub(crate) fn try_ask(&mut self, call: &Call<'_>) -> Result<Reply, TooLong> {
        let mut message = encode_into(std::mem::take(&mut self.buffer), call);
        if message.len() > MESSAGE_LIMIT {
            return Err(TooLong);
        }
        self.asked += 1;
        let reply = Reply(self.waist.call(&message));
        message.clear();
        self.buffer = message;
        Ok(reply)
    }

    /// Asks something that always fits a message.
    pub(crate) fn ask(&mut self, call: &Call<'_>) -> Reply {
        self.try_ask(call).unwrap_or_else(|TooLong| contract_broken())
    }

    /// Makes `bytes` part of a message whose other fields take `beside` bytes. `None` when the host will not keep as much.
    pub(crate) fn payload<'a>(&mut self, bytes: &'a [u8], beside: usize) -> Option<Payload<'a>> {
        // Tags and lengths of all fields together are far below this.
        const FRAME: usize = 1024;
        let room = MESSAGE_LIMIT.saturating_sub(beside).saturating_sub(FRAME).min(CHUNK_LIMIT);
        if bytes.len() <= room || bytes.is_empty() {
            return Some(Payload::Inline(bytes));
        }
        let handle = host_call::store(&mut *self.waist, bytes).unwrap_or_else(|_| contract_broken())?;
        Some(Payload::Stored { handle, length: bytes.len() as u64 })
    }

    /// The bytes of a payload of the host's.
    pub(crate) fn fetch(&mut self, payload: Payload<'_>) -> Vec<u8> {
        host_call::fetch(&mut *self.waist, payload).unwrap_or_else(|_| contract_broken())
    }

    /// The same for a payload that the contract calls text.
    pub(crate) fn fetch_text(&mut self, payload: Payload<'_>) -> String {
        String::from_utf8(self.fetch(payload)).unwrap_or_else(|_| contract_broken())
    }

    /// Ends the life of a payload of ours that is part of no call after all.
    pub(crate) fn release(&mut self, payload: Payload<'_>) {
        if let Payload::Stored { handle, .. } = payload {
            host_call::release(&mut *self.waist, handle).unwrap_or_else(|_| contract_broken());
        }
    }

    pub(crate) fn learn_time(&mut self, now: u64) {
        self.stamp = Some(now);
    }

    pub(crate) fn last_stamp(&mut self) -> Option<u64> {
        let stamp = self.stamp.as_mut()?;
        *stamp += 1;
        Some(*stamp)
    }
}

/// Ends the instance at once.
#[cfg(target_arch = "wasm32")]
pub(crate) fn trap() -> ! {
    core::arch::wasm32::unreachable()
}

/// Ends the test at once.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn trap() -> ! {
    panic!("the instance trapped")
}

/// The host said what it cannot say.
pub(crate) fn contract_broken() -> ! {
    trap()
}

#[cfg(test)]
mod tests {
    use isolette_abi::system;

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
        let mut wall = Wall::new(Box::new(Liar));
        wall.ask(&Call::System(system::Call::WallClock)).read::<u64>();
    }

    #[test]
    #[should_panic(expected = "the instance trapped")]
    fn nor_is_a_payload_that_is_not_there() {
        Wall::new(Box::new(Liar)).fetch(Payload::Stored { handle: 1, length: u64::MAX });
    }
}
