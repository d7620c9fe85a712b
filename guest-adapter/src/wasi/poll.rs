//! `wasi:io/poll`. Only time is waited for: files and the console are always ready.

use crate::{
    Component,
    bindings::exports::wasi::io::poll::{Guest, GuestPollable, PollableBorrow},
    state::{self, State},
};

/// What a pollable waits for.
#[derive(Clone, Copy)]
pub(crate) enum Moment {
    /// Nothing.
    Now,
    /// A reading of the monotonic clock.
    At(u64),
}

impl State {
    /// Waits until at least one of `moments` has come, and returns the indices of those that have.
    fn poll(&mut self, moments: &[Moment]) -> Vec<u32> {
        let pick = |come: &dyn Fn(Moment) -> bool| {
            (0..).zip(moments).filter(|(_, moment)| come(**moment)).map(|(place, _)| place).collect::<Vec<u32>>()
        };
        let ready = pick(&|moment| matches!(moment, Moment::Now));
        if !ready.is_empty() {
            return ready;
        }
        let earliest = moments.iter().filter_map(|moment| match moment {
            Moment::Now => None,
            Moment::At(when) => Some(*when),
        });
        let Some(earliest) = earliest.min() else { return Vec::new() };
        let now = self.calls.monotonic_clock();
        if earliest > now {
            self.sleep(earliest - now);
        }
        pick(&|moment| matches!(moment, Moment::At(when) if when <= earliest.max(now)))
    }
}

impl GuestPollable for Moment {
    fn ready(&self) -> bool {
        match *self {
            Self::Now => true,
            Self::At(when) => state::with(|state| state.calls.monotonic_clock()) >= when,
        }
    }

    fn block(&self) {
        state::with(|state| state.poll(&[*self]));
    }
}

impl Guest for Component {
    type Pollable = Moment;

    fn poll(pollables: Vec<PollableBorrow<'_>>) -> Vec<u32> {
        let moments: Vec<Moment> = pollables.iter().map(|pollable| *pollable.get::<Moment>()).collect();
        state::with(|state| state.poll(&moments))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::running;

    #[test]
    fn what_is_ready_is_not_waited_for() {
        let (mut state, host) = running();
        assert_eq!(state.poll(&[Moment::At(u64::MAX), Moment::Now]), [1]);
        assert_eq!(state.poll(&[]), Vec::<u32>::new());
        assert!(host.log().is_empty());
    }

    #[test]
    fn the_earliest_moment_is_waited_for() {
        let (mut state, host) = running();
        assert_eq!(state.poll(&[Moment::At(500), Moment::At(110), Moment::At(110)]), [1, 2]);
        assert_eq!(host.log(), ["MonotonicClock", "Sleep(100)"]);
    }

    #[test]
    fn moments_that_have_passed_all_count() {
        let (mut state, host) = running();
        assert_eq!(state.poll(&[Moment::At(3), Moment::At(7), Moment::At(11)]), [0, 1]);
        assert_eq!(host.log(), ["MonotonicClock"]);
    }
}
