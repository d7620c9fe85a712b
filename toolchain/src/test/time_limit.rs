//! The time within which everything is to be done. A machine that is too slow for all of it leaves out what takes long.

use std::time::{Duration, Instant};

use crate::progress;

/// What is left out on slow machines, with the part of the time, in percent, that may be over when it begins.
#[derive(Clone, Copy, Debug)]
pub(super) enum Long {
    /// Compiling packages for images: their own tests run later.
    Packages,
    /// Tests in emulated machines.
    Microvms,
}

impl Long {
    fn name(self) -> &'static str {
        match self {
            Self::Packages => "images with compiled packages",
            Self::Microvms => "tests on micro-VMs",
        }
    }

    fn latest_begin(self) -> u32 {
        match self {
            Self::Packages => 25,
            Self::Microvms => 75,
        }
    }
}

/// When the last test in an emulated machine begins, as a part of the time in percent.
const LAST_TEST: u32 = 95;

/// The time, from the start on.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeLimit {
    started: Instant,
    limit: Option<Duration>,
}

impl TimeLimit {
    pub(super) fn new(minutes: Option<u32>) -> Self {
        Self { started: Instant::now(), limit: minutes.map(|minutes| Duration::from_secs(u64::from(minutes) * 60)) }
    }

    /// Whether something may begin; if not, a message says so.
    pub(super) fn allows(self, what: Long) -> bool {
        let refusal = self.refusal(what, self.started.elapsed());
        if let Some(refusal) = &refusal {
            progress::note(refusal);
        }
        refusal.is_none()
    }

    fn refusal(self, what: Long, elapsed: Duration) -> Option<String> {
        let latest = part(self.limit?, what.latest_begin());
        (elapsed > latest).then(|| {
            format!(
                "{}: left out: begun after {}, later than {}, they would not be done in the {} that `--minutes` gives",
                what.name(),
                progress::seconds(elapsed),
                progress::seconds(latest),
                progress::seconds(self.limit.unwrap_or_default()),
            )
        })
    }

    /// When no further test in an emulated machine begins.
    pub(super) fn last_test(self) -> Option<Instant> {
        Some(self.started + part(self.limit?, LAST_TEST))
    }
}

fn part(whole: Duration, percent: u32) -> Duration {
    whole * percent / 100
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_too_late_is_left_out_and_named() {
        let limit = TimeLimit::new(Some(80));
        let minutes = |number: u64| Duration::from_secs(number * 60);
        assert_eq!(limit.refusal(Long::Packages, minutes(20)), None);
        assert_eq!(
            limit.refusal(Long::Packages, minutes(21)).unwrap(),
            "images with compiled packages: left out: begun after 21 min 00 s, later than 20 min 00 s, they would not be done in the \
             80 min 00 s that `--minutes` gives"
        );
        assert_eq!(limit.refusal(Long::Microvms, minutes(60)), None);
        assert!(limit.refusal(Long::Microvms, minutes(61)).is_some());
        assert_eq!(limit.last_test().map(|last| last - limit.started), Some(minutes(76)));
    }

    #[test]
    fn without_a_limit_nothing_is_left_out() {
        let limit = TimeLimit::new(None);
        assert_eq!(limit.refusal(Long::Packages, Duration::MAX), None);
        assert_eq!(limit.last_test(), None);
    }
}
