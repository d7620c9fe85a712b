//! Runs beneath an image outside the host's process: the counterpart of an engine in the host.
//!
//! The runtime transports bytes and must never interpret them. The host loads code that was compiled ahead of time, and
//! passes a message to the image for each run; the runtime passes the calls of the image's one import to the host. Nothing
//! in it depends on a language, a policy or a capability, so one runtime serves every image.
//!
//! `code` and `guest` are the same on every platform. Each platform has a module of its own with the program's entry, its
//! functions for Wasmtime, and its way to reach the host.

#![no_std]
#![no_main]

extern crate alloc;

mod code;
mod guest;
mod hyperlight;
