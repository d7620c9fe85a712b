//! The messages that cross the wall.
//!
//! An image has one import, `host.call(list<u8>) -> list<u8>`, and one export, `guest.run(list<u8>) -> list<u8>`
//! (`wit/deps/waist`). This crate says what the bytes mean: a [`Start`] goes in, any number of [`Call`]s come out and are
//! answered, a [`Finish`] comes out. Guest and host share it, so that the two cannot disagree.
//!
//! It must never allocate by a length that a peer merely claims, and never panic on any bytes: what it decodes comes
//! from code that nobody trusts. Strings and bytes are therefore borrowed from the message.
//!
//! A message is at most [`MESSAGE_LIMIT`] long. What may be longer (sources, bodies, arguments, values) travels as a
//! [`Payload`]: inline when it is short, else in chunks kept by the host under a handle ([`transfer`]).

#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod call;
pub mod capabilities;
mod codec;
pub mod console;
pub mod files;
pub mod http;
mod payload;
mod run;
pub mod system;
pub mod tools;
pub mod transfer;
pub mod value;
pub mod waist;

pub use call::Call;
pub use codec::{DecodeError, decode, decode_prefix, encode, encode_into};
pub use payload::Payload;
pub use run::{BodyRule, ErrorReport, Finish, Mode, Mount, Start, Value, Variable};

/// The version of all messages together. A host runs an image only if both have the same.
pub const VERSION: u16 = 4;

/// No message, in either direction, is longer than this many bytes.
pub const MESSAGE_LIMIT: usize = 256 * 1024;

/// Bytes of a payload that one message carries at most: what is left for the rest is ample for every message's other
/// fields, each of which is bounded by what produces it.
pub const CHUNK_LIMIT: usize = 192 * 1024;

/// How many component handles an image may hold at a time, in each engine. A handle takes some 24 bytes of the engine's
/// memory, which the limit on the guest's memory does not count. An interpreter holds two for each file or stream.
pub const HANDLE_LIMIT: usize = 100_000;
