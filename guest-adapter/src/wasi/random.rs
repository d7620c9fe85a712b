//! `wasi:random`.

use crate::{Component, bindings::exports::wasi::random::random::Guest, state, waist::trap};

impl Guest for Component {
    fn get_random_bytes(len: u64) -> Vec<u8> {
        // The interface has no error, and fewer bytes than were asked for would be worse than none.
        state::with(|state| state.random.bytes(len)).unwrap_or_else(|| trap())
    }
}
