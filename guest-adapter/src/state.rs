//! What lives as long as the instance.

use std::cell::RefCell;

use crate::{
    console::Console,
    filesystem::FileSystem,
    random::Random,
    waist::{Host, Wall},
};

/// Everything the exports share.
pub(crate) struct State {
    pub(crate) wall: Wall,
    pub(crate) console: Console,
    pub(crate) random: Random,
    pub(crate) files: FileSystem,
}

impl State {
    pub(crate) fn new(wall: Wall) -> Self {
        Self { wall, console: Console::default(), random: Random::default(), files: FileSystem::default() }
    }
}

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::new(Wall::new(Box::new(Host))));
}

/// Lends the state to one call. The host never calls back while it answers, so that calls cannot nest.
pub(crate) fn with<R>(use_state: impl FnOnce(&mut State) -> R) -> R {
    STATE.with_borrow_mut(use_state)
}
