//! `isolette:sandbox/system`: time and random seeds, from the host.

use isolette_abi::{Call, system};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::system::Guest,
    host_calls::HostCalls,
    state::{self, State},
};

impl HostCalls {
    fn system<T: for<'a> serde::Deserialize<'a>>(&mut self, call: system::Call) -> T {
        self.call(&Call::System(call)).read()
    }

    /// Nanoseconds since 1970; 0 outside of a run.
    pub(crate) fn wall_clock(&mut self) -> u64 {
        if !self.is_running() {
            return 0;
        }
        let now = self.system(system::Call::WallClock);
        self.set_time(now);
        now
    }

    /// Nanoseconds since an arbitrary moment; 0 outside of a run.
    pub(crate) fn monotonic_clock(&mut self) -> u64 {
        if self.is_running() { self.system(system::Call::MonotonicClock) } else { 0 }
    }

    /// The modification time of a file in memory: later than all earlier ones, and approximately correct without a host call
    /// for each write.
    pub(crate) fn timestamp(&mut self) -> u64 {
        match self.next_timestamp() {
            Some(timestamp) => timestamp,
            None => self.wall_clock(),
        }
    }
}

impl State {
    /// Waits in the host, after all output was sent. Outside of a run it returns immediately.
    pub(crate) fn sleep(&mut self, nanoseconds: u64) {
        if self.calls.is_running() {
            self.console.flush(&mut self.calls);
            self.calls.system(system::Call::Sleep(nanoseconds))
        }
    }
}

impl Guest for Component {
    fn wall_clock() -> u64 {
        state::with(|state| state.calls.wall_clock())
    }

    fn monotonic_clock() -> u64 {
        state::with(|state| state.calls.monotonic_clock())
    }

    fn sleep(nanoseconds: u64) {
        state::with(|state| state.sleep(nanoseconds));
    }

    fn random_seed() -> Vec<u8> {
        state::with(|state| match state.calls.is_running() {
            true => state.calls.system::<[u8; 32]>(system::Call::RandomSeed).to_vec(),
            false => vec![0; 32],
        })
    }

    fn at_line(line: u32) {
        state::with(|state| state.calls.line = line);
    }

    fn working_directory() -> String {
        state::with(|state| state.files.working_directory(&state.calls).to_owned())
    }

    fn deadline_remaining() -> u64 {
        state::with(|state| match state.calls.is_running() {
            true => state.calls.system(system::Call::DeadlineRemaining),
            false => u64::MAX,
        })
    }
}
