//! WASI and `isolette:sandbox`, implemented inside the sandbox.
//!
//! This component is the operating system of an interpreter. It implements what needs no authority (random numbers, `/tmp`, the
//! console buffer, the shape of the file tree), and converts everything else to messages of `isolette-abi` for `host.call`, its
//! only import.
//!
//! It must never get another import, and never decide what is allowed: the host decides, and repeats every check that is made
//! here. It depends on the ABI alone.

mod bindings;
mod capabilities;
mod console;
mod files;
mod filesystem;
mod host_calls;
mod http;
mod lifecycle;
mod output;
mod random;
mod state;
mod submissions;
mod system;
mod tickets;
mod tools;
mod wasi;

#[cfg(test)]
mod testing;

/// The type that implements all exports. Each module adds its own.
struct Component;
