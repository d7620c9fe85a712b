//! What the host and the runtime exchange when an image runs outside the host's process.
//!
//! The runtime moves the messages of the image and adds to them how a run or a host call ended. It is as untrusted as a
//! guest: a program that escapes from WebAssembly controls it.

use alloc::{string::String, vec::Vec};

use crate::DecodeError;

/// The functions of a runtime, and the one function of the host, by name.
pub mod functions {
    /// Of the runtime: loads the code of the image, whose address and length are the arguments.
    pub const LOAD: &str = "load";
    /// Of the runtime: runs one program, and returns a [`RunReply`](super::RunReply), or nothing if the program is paused.
    /// The arguments are the message for `guest.run` and the memory limit in bytes.
    pub const RUN: &str = "run";
    /// Of the runtime: continues the program that is paused, and returns as [`RUN`] does. The argument is the
    /// [`HostReply`](super::HostReply) for which the program waits.
    pub const RESUME: &str = "resume";
    /// Of the host: handles one message of the guest's, and returns a [`HostReply`](super::HostReply).
    pub const CALL: &str = "call";
    /// Of the runtime: returns the addresses of the pages that have been written to, in 8 bytes each (little-endian).
    pub const WRITTEN_PAGES: &str = "written_pages";
    /// Of the runtime: sets the pages that [`PREFAULT`] writes to, in the same form.
    pub const SET_PREFAULT_PAGES: &str = "set_prefault_pages";
    /// Of the runtime: writes to pages without changing them, so that a run does not have to wait until they are copied.
    pub const PREFAULT: &str = "prefault";
}

/// Why a guest ended without a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The host ended the guest.
    Stopped,
    /// The guest asked for memory beyond its limit and could not continue without it.
    OutOfMemory,
    /// The guest's calls were nested too deeply for its stack.
    StackOverflow,
    /// The guest failed in another way, which the text describes.
    Crashed(String),
}

/// The result of [`functions::RUN`].
///
/// The first byte says how the run ended, the next 8 bytes (little-endian) are the peak memory, and the rest is the reply
/// or the text of [`Failure::Crashed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunReply {
    /// The peak memory of the guest so far, in bytes.
    pub memory_peak: u64,
    /// The reply of `guest.run`.
    pub result: Result<Vec<u8>, Failure>,
}

const ENDED: u8 = 0;
const STOPPED: u8 = 1;
const OUT_OF_MEMORY: u8 = 2;
const STACK_OVERFLOW: u8 = 3;
const CRASHED: u8 = 4;

/// Length of the first two parts of a [`RunReply`].
const HEAD: usize = 9;

impl RunReply {
    /// Encodes the reply.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let (status, rest): (u8, &[u8]) = match &self.result {
            Ok(reply) => (ENDED, reply),
            Err(Failure::Stopped) => (STOPPED, &[]),
            Err(Failure::OutOfMemory) => (OUT_OF_MEMORY, &[]),
            Err(Failure::StackOverflow) => (STACK_OVERFLOW, &[]),
            Err(Failure::Crashed(text)) => (CRASHED, text.as_bytes()),
        };
        let mut bytes = Vec::with_capacity(HEAD + rest.len());
        bytes.push(status);
        bytes.extend_from_slice(&self.memory_peak.to_le_bytes());
        bytes.extend_from_slice(rest);
        bytes
    }

    /// Decodes a reply.
    ///
    /// # Errors
    /// [`DecodeError`] if no runtime of this version sends these bytes.
    pub fn decode(mut bytes: Vec<u8>) -> Result<Self, DecodeError> {
        let (status, rest) = bytes.split_first().ok_or(DecodeError)?;
        let (peak, _) = rest.split_first_chunk().ok_or(DecodeError)?;
        let (status, memory_peak) = (*status, u64::from_le_bytes(*peak));
        let rest = bytes.split_off(HEAD);
        let result = match status {
            ENDED => Ok(rest),
            STOPPED => Err(Failure::Stopped),
            OUT_OF_MEMORY => Err(Failure::OutOfMemory),
            STACK_OVERFLOW => Err(Failure::StackOverflow),
            CRASHED => Err(Failure::Crashed(String::from_utf8_lossy(&rest).into_owned())),
            _ => return Err(DecodeError),
        };
        Ok(Self { memory_peak, result })
    }
}

/// The result of [`functions::CALL`]. The first byte says which it is; the rest is the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostReply<Bytes> {
    /// The reply to the guest's message.
    Reply(Bytes),
    /// The reply to a message after which the program was paused. The host that sends it may be another one, so the memory
    /// limit in bytes, which [`functions::RUN`] had, comes with it.
    ReplyAfterPause(u64, Bytes),
    /// The guest has to end.
    Stop,
    /// The reply comes later: the runtime returns to the host in the midst of the program, which waits. Only for runtimes
    /// that the host calls, as it does those in micro-VMs.
    Pause,
}

const REPLY: u8 = 0;
const STOP: u8 = 1;
const PAUSE: u8 = 2;
const REPLY_AFTER_PAUSE: u8 = 3;

impl<Bytes: AsRef<[u8]>> HostReply<Bytes> {
    /// Encodes the result.
    #[must_use]
    pub fn encode(self) -> Vec<u8> {
        match self {
            Self::Reply(reply) => [&[REPLY], reply.as_ref()].concat(),
            Self::ReplyAfterPause(memory_limit, reply) => {
                [&[REPLY_AFTER_PAUSE], &memory_limit.to_le_bytes()[..], reply.as_ref()].concat()
            }
            Self::Stop => [STOP].into(),
            Self::Pause => [PAUSE].into(),
        }
    }
}

impl HostReply<Vec<u8>> {
    /// Decodes a result. Bytes that no host sends are decoded as [`HostReply::Stop`].
    #[must_use]
    pub fn decode(mut bytes: Vec<u8>) -> Self {
        let (head, rest) = bytes.split_first().map_or((STOP, &[][..]), |(head, rest)| (*head, rest));
        match (head, rest.first_chunk()) {
            (REPLY, _) => Self::Reply(bytes.split_off(1)),
            (REPLY_AFTER_PAUSE, Some(limit)) => {
                Self::ReplyAfterPause(u64::from_le_bytes(*limit), bytes.split_off(1 + size_of::<u64>()))
            }
            (PAUSE, _) => Self::Pause,
            _ => Self::Stop,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn replies_of_runs_are_decoded_as_they_were_encoded() {
        for result in [
            Ok(b"reply".to_vec()),
            Ok(Vec::new()),
            Err(Failure::Stopped),
            Err(Failure::OutOfMemory),
            Err(Failure::StackOverflow),
            Err(Failure::Crashed("unreachable".into())),
        ] {
            let reply = RunReply { memory_peak: 1 << 40, result };
            assert_eq!(RunReply::decode(reply.encode()), Ok(reply));
        }
    }

    #[test]
    fn what_no_runtime_sends_is_refused() {
        for bytes in [vec![], vec![ENDED], vec![ENDED; HEAD - 1], [&[CRASHED + 1], &[0; 8][..]].concat()] {
            assert_eq!(RunReply::decode(bytes), Err(DecodeError));
        }
        let text = RunReply::decode([&[CRASHED], &[0; 8][..], b"\xff"].concat()).unwrap().result;
        assert_eq!(text, Err(Failure::Crashed("\u{fffd}".into())));
    }

    #[test]
    fn replies_of_the_host_are_decoded_as_they_were_encoded() {
        for reply in [
            HostReply::Reply(b"reply".to_vec()),
            HostReply::Reply(vec![]),
            HostReply::ReplyAfterPause(1 << 40, b"reply".to_vec()),
            HostReply::ReplyAfterPause(0, vec![]),
            HostReply::Stop,
            HostReply::Pause,
        ] {
            assert_eq!(HostReply::decode(reply.clone().encode()), reply);
        }
        for unknown in [vec![], vec![7, 1], vec![REPLY_AFTER_PAUSE, 1]] {
            assert_eq!(HostReply::decode(unknown), HostReply::Stop);
        }
    }
}
