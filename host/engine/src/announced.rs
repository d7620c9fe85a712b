//! Guests that are going to continue from a state.

use std::{fmt, sync::Arc};

use crate::{Engine, GuestState};

/// A guest that is going to continue from a state: the engine may start it in advance. To be passed to
/// [`Guest::start`](crate::Guest::start), or dropped if it will not start.
pub struct AnnouncedGuest {
    engine: Arc<dyn Engine>,
    state: GuestState,
}

impl fmt::Debug for AnnouncedGuest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AnnouncedGuest")
    }
}

impl AnnouncedGuest {
    /// Announces several guests of a state.
    #[must_use]
    pub fn several(engine: &Arc<dyn Engine>, state: &GuestState, count: usize) -> Vec<Self> {
        engine.announce(state, count);
        let one = || Self { engine: Arc::clone(engine), state: state.clone() };
        std::iter::repeat_with(one).take(count).collect()
    }
}

impl Drop for AnnouncedGuest {
    fn drop(&mut self) {
        self.engine.retract(&self.state);
    }
}
