//! An instance of an image in Wasmtime.
//!
//! Every engine runs images with Wasmtime: in the host's process (`host/engine`) or beneath the image in a process or
//! machine of its own (`runtime`). Their common code is here, so that a program behaves the same in each: how the
//! image is connected to the host, how much memory and stack it has, how long a message may be, and how an error of
//! Wasmtime is classified.
//!
//! The crate knows bytes only. It needs no operating system, and configures nothing that depends on one.

#![no_std]
#![deny(missing_docs)]

extern crate alloc;

mod failed;
mod image;
mod memory;
mod settings;
#[cfg(test)]
mod tests;

pub use self::{
    failed::{Failed, Stopped},
    image::{Host, Image, Instance, State},
    memory::MemoryLimiter,
    settings::{
        ENGINE_VERSION, GUEST_STACK, NATIVE_STACK, PROCESSOR_FEATURES, ProcessorFeature, TABLE_LAZY_INIT, settings,
    },
};
