//! The bindings that `wit-bindgen` generates for the world `interpreter`.

#![allow(unsafe_code, clippy::undocumented_unsafe_blocks, reason = "generated")]
#![allow(missing_debug_implementations, unreachable_pub, reason = "generated")]

wit_bindgen::generate!({
    path: "../wit",
    world: "interpreter",
    default_bindings_module: "crate::bindings",
    generate_all,
});
