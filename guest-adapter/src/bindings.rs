//! The bindings that `wit-bindgen` generates from `wit/world.wit`.

#![allow(
    unsafe_code,
    clippy::undocumented_unsafe_blocks,
    unreachable_pub,
    missing_debug_implementations,
    dead_code,
    reason = "generated: the canonical ABI is raw pointers, and every type of the world exists, used or not"
)]

wit_bindgen::generate!({
    path: ["../wit", "wit"],
    world: "isolette:adapter/adapter",
    generate_all,
});

// Native builds exist for the unit tests, and native linkers reject names such as `wasi:io/poll@0.2.9#poll`.
#[cfg(target_arch = "wasm32")]
export!(Component with_types_in self);

#[cfg(target_arch = "wasm32")]
use crate::Component;
