//! The start and the end of a run, which the entry calls.

use isolette_abi::{Start, decode};

use crate::{
    Component,
    bindings::exports::isolette::adapter::lifecycle::Guest,
    host_calls::malformed_reply,
    random::Random,
    state::{self, State},
};

impl State {
    /// Resets the state of the previous run. `/tmp` is kept until the instance ends.
    pub(crate) fn begin(&mut self, start: &Start<'_>) {
        self.console.clear();
        self.random = Random::seeded(start.seed);
        self.files.begin(&start.mounts);
        self.calls.set_running(true);
    }

    /// Returns the buffered output. Calls that the program has submitted are made, as far as that goes.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        if self.calls.is_running() && self.calls.has_queued() {
            self.calls.exchange(None);
        }
        let rest = self.console.finish();
        self.calls.set_running(false);
        rest
    }
}

impl Guest for Component {
    fn begin(start: Vec<u8>) {
        let start = decode(&start).unwrap_or_else(|_| malformed_reply());
        state::with(|state| state.begin(&start));
    }

    fn finish() -> Vec<u8> {
        state::with(State::finish)
    }
}
