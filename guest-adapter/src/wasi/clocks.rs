//! `wasi:clocks`. Both clocks are those of the host, so that measurements of programs are correct.

use super::poll::Moment;
use crate::{
    Component,
    bindings::exports::wasi::{
        clocks::{
            monotonic_clock::{self, Pollable},
            wall_clock::{self, Datetime},
        },
        io::poll,
    },
    state,
};

const SECOND: u64 = 1_000_000_000;

/// Converts nanoseconds since 1970 to the form of WASI.
pub(crate) fn datetime(nanoseconds: u64) -> Datetime {
    Datetime { seconds: nanoseconds / SECOND, nanoseconds: (nanoseconds % SECOND) as u32 }
}

/// The reverse of [`datetime`]. Times beyond the range are the last one in it.
pub(crate) fn nanoseconds(datetime: Datetime) -> u64 {
    datetime.seconds.saturating_mul(SECOND).saturating_add(u64::from(datetime.nanoseconds))
}

impl wall_clock::Guest for Component {
    fn now() -> Datetime {
        datetime(state::with(|state| state.calls.wall_clock()))
    }

    fn resolution() -> Datetime {
        datetime(1)
    }
}

impl monotonic_clock::Guest for Component {
    fn now() -> u64 {
        state::with(|state| state.calls.monotonic_clock())
    }

    fn resolution() -> u64 {
        1
    }

    fn subscribe_instant(when: u64) -> Pollable {
        poll::Pollable::new(Moment::At(when))
    }

    fn subscribe_duration(when: u64) -> Pollable {
        poll::Pollable::new(match when {
            0 => Moment::Now,
            _ => Moment::At(state::with(|state| state.calls.monotonic_clock()).saturating_add(when)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_converted_in_both_directions() {
        for time in [0, 1, SECOND - 1, SECOND, 1_700_000_000_123_456_789, u64::MAX] {
            assert_eq!(nanoseconds(datetime(time)), time);
        }
        assert_eq!(nanoseconds(Datetime { seconds: u64::MAX, nanoseconds: 5 }), u64::MAX);
    }
}
