//! `isolette:sandbox/system`: time and chance, asked of the host each time.

use isolette_abi::{Call, system};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::system::Guest,
    state::{self, State},
    waist::Wall,
};

impl Wall {
    fn system<T: for<'a> serde::Deserialize<'a>>(&mut self, call: system::Call) -> T {
        self.ask(&Call::System(call)).read()
    }

    /// Nanoseconds since 1970; 0 outside of a run.
    pub(crate) fn wall_clock(&mut self) -> u64 {
        if !self.live() {
            return 0;
        }
        let now = self.system(system::Call::WallClock);
        self.learn_time(now);
        now
    }

    /// Nanoseconds since an arbitrary moment; 0 outside of a run.
    pub(crate) fn monotonic_clock(&mut self) -> u64 {
        if self.live() { self.system(system::Call::MonotonicClock) } else { 0 }
    }

    /// A time of modification for a file of ours: later than all before, and close to the truth without a question
    /// for each write.
    pub(crate) fn stamp(&mut self) -> u64 {
        match self.last_stamp() {
            Some(stamp) => stamp,
            None => self.wall_clock(),
        }
    }
}

impl State {
    /// Waits in the host, after everything said so far has been handed over. Outside of a run no time passes.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        if self.wall.live() {
            self.console.flush(&mut self.wall);
            self.wall.system(system::Call::Sleep(nanoseconds))
        }
    }
}

impl Guest for Component {
    fn wall_clock() -> u64 {
        state::with(|state| state.wall.wall_clock())
    }

    fn monotonic_clock() -> u64 {
        state::with(|state| state.wall.monotonic_clock())
    }

    fn sleep(nanoseconds: u64) {
        state::with(|state| state.sleep(nanoseconds));
    }

    fn random_seed() -> Vec<u8> {
        state::with(|state| match state.wall.live() {
            true => state.wall.system::<[u8; 32]>(system::Call::RandomSeed).to_vec(),
            false => vec![0; 32],
        })
    }

    fn working_directory() -> String {
        state::with(|state| state.files.working_directory(&state.wall).to_owned())
    }

    fn deadline_left() -> u64 {
        state::with(|state| match state.wall.live() {
            true => state.wall.system(system::Call::DeadlineRemaining),
            false => u64::MAX,
        })
    }
}
