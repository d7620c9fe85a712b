//! An entry point to the broker for fuzzers (`fuzz/`); embedders do not need it. It panics if an invariant is violated.

use crate::broker::trial::Trial;

/// Passes messages to a new broker until the broker ends the guest.
pub fn host_calls<'a>(messages: impl IntoIterator<Item = &'a [u8]>) {
    let mut trial = Trial::new();
    for message in messages {
        if trial.call(message).is_err() {
            break;
        }
    }
    trial.assert_sound();
}
