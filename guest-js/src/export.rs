//! The exported functions of the component, which `wit-bindgen` connects to [`Runner`].

#![allow(unsafe_code, clippy::undocumented_unsafe_blocks, reason = "generated")]

use crate::{bindings, runner::Runner};

bindings::export!(Runner with_types_in bindings);
