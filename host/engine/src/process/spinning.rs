//! Decides whether it is worthwhile to wait for a frame actively.
//!
//! To be woken costs each side some 20 µs, as much as a call of a tool takes. So the host and a guest wait actively for a short
//! time, as long as each of the guests that run, and the host's thread for it, have a processor to themselves.

use std::time::Duration;

/// The time for which the host waits actively.
pub(super) const SPIN_TIME: Duration = Duration::from_micros(50);

/// The recent frames of one guest, which determine whether active waiting helps.
#[derive(Debug, Default)]
pub(super) struct Experience {
    /// The frames in a row that came as soon as the host had given up.
    late: u32,
    /// The frames to wait for without active waiting.
    without: u32,
}

/// The time after the host has given up in which a frame comes that had only waited for the processor, and for the guest to give up.
const SOON: Duration = Duration::from_micros(200);

/// The number of such frames in a row after which the guest and the host's thread may share a processor.
const SUSPICIOUS: u32 = 2;

/// The number of such frames in a row after which active waiting is of no use.
const USELESS: u32 = 8;

/// The number of frames without active waiting after which it is tried again.
const WITHOUT: u32 = 500;

/// The conclusion from frames that come late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lateness {
    Accident,
    /// The guest and the host's thread may share a processor.
    Suspicious,
    Useless,
}

impl Experience {
    /// Whether to wait actively for the next frame.
    pub(super) fn is_good(&mut self) -> bool {
        let is_good = self.without == 0;
        self.without = self.without.saturating_sub(1);
        is_good
    }

    /// Records that a frame came while the host waited for it actively.
    pub(super) fn came_in_time(&mut self) {
        self.late = 0;
    }

    /// Records that a frame came this long after the host had given up.
    pub(super) fn came_after(&mut self, time: Duration) -> Lateness {
        self.late = if time < SOON { self.late + 1 } else { 0 };
        match self.late {
            USELESS.. => Lateness::Useless,
            late if late > 0 && late.is_multiple_of(SUSPICIOUS) => Lateness::Suspicious,
            _ => Lateness::Accident,
        }
    }

    /// Stops active waiting for a while: turns on one processor take a fifth of the time without it.
    pub(super) fn do_without(&mut self) {
        (self.late, self.without) = (0, WITHOUT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_in_a_row_that_come_after_waiting_are_no_accident() {
        use Lateness::{Accident, Suspicious, Useless};
        let mut experience = Experience::default();
        let soon = SOON / 2;
        assert!([soon, SOON, soon].into_iter().all(|time| experience.came_after(time) == Accident));
        experience.came_in_time();
        let all = [Accident, Suspicious, Accident, Suspicious, Accident, Suspicious, Accident, Useless];
        assert_eq!(all.map(|_| experience.came_after(soon)), all);
        experience.do_without();
        assert_eq!(experience.came_after(soon), Accident);
    }

    #[test]
    fn active_waiting_is_tried_again() {
        let mut experience = Experience::default();
        assert!(experience.is_good());
        experience.do_without();
        assert!((0..WITHOUT).all(|_| !experience.is_good()));
        assert!(experience.is_good());
    }
}
