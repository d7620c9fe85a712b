//! Runs beneath an image outside the host's process: the counterpart of an engine in the host.
//!
//! The runtime transports bytes and must never interpret them. The host loads code that was compiled ahead of time, and
//! passes a message to the image for each run; the runtime passes the calls of the image's one import to the host. Nothing
//! in it depends on a language, a policy or a capability, so one runtime serves every image.
//!
//! This library is the code that is the same on every platform. A platform is a program with a folder of its own: `hyperlight` for
//! micro-VMs, `linux` for processes. It has the program's entry, memory and faults, and its way to reach the host.

#![no_std]

extern crate alloc;

mod code;
mod guest;
pub mod memory_image;
pub mod memory_limit;
mod threads;
mod traps;

pub use self::{
    code::{component, settings},
    guest::Guest,
    traps::trap,
};

/// Bytes of a page of memory.
pub const PAGE: usize = 4096;

/// The results of functions that Wasmtime calls.
pub mod status {
    /// The function did what was asked for.
    pub const DONE: i32 = 0;
    /// The function did nothing.
    pub const REFUSED: i32 = 1;
}
