//! The limit on host calls per second.

use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// Counts calls up to the limit and only then reads the clock: if less than a second has passed, the guest calls too
/// often.
#[derive(Debug)]
pub(crate) struct Rate {
    limit: u64,
    count: u64,
    since: Instant,
}

impl Rate {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, count: 0, since: Instant::now() }
    }

    /// Whether another call is permitted now.
    pub(crate) fn take(&mut self) -> bool {
        self.count += 1;
        if self.count <= self.limit {
            return true;
        }
        if self.since.elapsed() < SECOND {
            return false;
        }
        *self = Self { count: 1, ..Self::new(self.limit) };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_at_once_are_too_many() {
        let mut rate = Rate::new(3);
        assert_eq!([(); 4].map(|()| rate.take()), [true, true, true, false]);
        rate.since -= SECOND;
        assert!(rate.take(), "a second later it begins anew");
        assert!([(); 2].iter().all(|()| rate.take()) && !rate.take());
    }
}
