//! The messages of the host call ABI.
//!
//! An image has one import, `host.call(list<u8>) -> list<u8>`, and one export, `guest.run(list<u8>) -> list<u8>`
//! (`wit/deps/waist`). This crate defines the bytes: the host passes a [`Start`] to `guest.run`, the guest makes any number of
//! [`Call`]s, which the host answers, and `guest.run` returns a [`Finish`]. Guest and host use the same crate, so that their
//! definitions cannot differ.
//!
//! Decoding must never allocate memory for a length that a message merely claims, and must never panic, because the bytes
//! come from untrusted code. Strings and bytes are therefore borrowed from the message.
//!
//! A message is at most [`MESSAGE_LIMIT`] bytes long. Data that may be longer (sources, bodies, arguments, values) is a
//! [`Payload`]: inline if it is short, otherwise stored by the host in chunks under a handle ([`transfer`]).
//!
//! Where an image runs outside the host's process, a runtime passes the messages on; [`runtime`] defines what it adds.
//!
//! The crate depends on no other crate of the project, and needs no operating system.

#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod call;
pub mod capabilities;
mod codec;
pub mod console;
pub mod files;
pub mod frames;
pub mod host_call;
pub mod http;
mod payload;
mod run;
pub mod runtime;
pub mod saved;
pub mod shared_memory;
pub mod system;
pub mod tickets;
pub mod tools;
pub mod transfer;
pub mod value;

pub use call::Call;
pub use codec::{DecodeError, decode, decode_prefix, encode, encode_into};
pub use payload::Payload;
pub use run::{BodyRule, CallStyle, Dialect, ErrorReport, Finish, Mode, Mount, Start, Value, Variable};

/// The version of everything here. A host runs an image, with the runtimes in it, only if both have the same version.
pub const VERSION: u16 = 15;

/// The only import of an image. Its function `call` passes a message to the host.
pub const HOST_INTERFACE: &str = "isolette:waist/host@0.1.0";

/// The only export of an image. Its function `run` runs one program.
pub const GUEST_INTERFACE: &str = "isolette:waist/guest@0.1.0";

/// The maximum length of a message in bytes, in either direction.
pub const MESSAGE_LIMIT: usize = 256 * 1024;

/// The maximum number of payload bytes in one message. The rest of [`MESSAGE_LIMIT`] is enough for the other fields of every
/// message, because the sender bounds each of them.
pub const CHUNK_LIMIT: usize = 192 * 1024;

/// The maximum number of component handles that an image may hold at a time, in each engine. A handle takes about 24 bytes of
/// engine memory, which the memory limit of the guest does not cover. An interpreter holds two for each file or stream.
pub const HANDLE_LIMIT: usize = 100_000;
