//! `wasi:random`.

use crate::{
    Component,
    bindings::exports::wasi::random::{insecure, insecure_seed, random},
    host_calls::trap,
    state,
};

impl random::Guest for Component {
    fn get_random_bytes(len: u64) -> Vec<u8> {
        // The interface has no error, and fewer bytes than requested are not permitted.
        state::with(|state| state.random.bytes(len)).unwrap_or_else(|| trap())
    }

    fn get_random_u64() -> u64 {
        state::with(|state| state.random.number())
    }
}

impl insecure::Guest for Component {
    fn get_insecure_random_bytes(len: u64) -> Vec<u8> {
        <Self as random::Guest>::get_random_bytes(len)
    }

    fn get_insecure_random_u64() -> u64 {
        <Self as random::Guest>::get_random_u64()
    }
}

impl insecure_seed::Guest for Component {
    fn insecure_seed() -> (u64, u64) {
        state::with(|state| (state.random.number(), state.random.number()))
    }
}
