//! The beginning and the end of a run, as the entry announces them.

use isolette_abi::{Start, decode};

use crate::{
    Component,
    bindings::exports::isolette::adapter::lifecycle::Guest,
    random::Random,
    state::{self, State},
    waist::contract_broken,
};

impl State {
    /// Forgets what was true of the run before. `/tmp` stays, as it lives as long as the instance.
    pub(crate) fn begin(&mut self, start: &Start<'_>) {
        self.console.clear();
        self.random = Random::seeded(start.seed);
        self.files.begin(&start.mounts);
        self.wall.set_live(true);
    }

    /// What the console still holds.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let rest = self.console.finish();
        self.wall.set_live(false);
        rest
    }
}

impl Guest for Component {
    fn begin(start: Vec<u8>) {
        let start = decode(&start).unwrap_or_else(|_| contract_broken());
        state::with(|state| state.begin(&start));
    }

    fn finish() -> Vec<u8> {
        state::with(State::finish)
    }
}
