//! WASI and `isolette:sandbox`, served inside the sandbox.
//!
//! An interpreter believes that it talks to an operating system. This component is that system: it answers by itself
//! what needs no authority (randomness, `/tmp`, the console's buffer, the shape of the tree of files) and turns the rest
//! into messages of `isolette-abi` for `host.call`, its only import.
//!
//! It must never gain another import, and never decide what is allowed: the host does, and asks again about everything
//! that is refused here already.

mod bindings;
mod capabilities;
mod console;
mod files;
mod filesystem;
mod http;
mod lifecycle;
mod output;
mod random;
mod state;
mod system;
mod tools;
mod waist;
mod wasi;

#[cfg(test)]
mod testing;

/// What the exports of the component are implemented on; each module adds its own.
struct Component;
