//! The state of the instance.

use std::cell::RefCell;

use crate::{
    console::Console,
    filesystem::FileSystem,
    host_calls::{Host, HostCalls},
    random::Random,
};

/// The state that all exports share.
pub(crate) struct State {
    pub(crate) calls: HostCalls,
    pub(crate) console: Console,
    pub(crate) random: Random,
    pub(crate) files: FileSystem,
}

impl State {
    pub(crate) fn new(calls: HostCalls) -> Self {
        Self { calls, console: Console::default(), random: Random::default(), files: FileSystem::default() }
    }
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::new(HostCalls::new(Box::new(Host))));
}

/// Passes the state to a closure. The host never calls the guest during a call, so these calls cannot nest.
pub(crate) fn with<R>(use_state: impl FnOnce(&mut State) -> R) -> R {
    STATE.with_borrow_mut(use_state)
}
