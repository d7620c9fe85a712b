//! Time and chance (`wit/system.wit`): the machine's, or some that are the same each time.

use std::{
    fmt,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// How much later it is at each question, where time is made up: a program that waits for a moment gets there.
const STEP: u64 = 1_000;

/// Time and chance that are the same each time, for tests: every guest begins at the same moment and gets the same random
/// numbers. Each question for the time makes it a microsecond later; a sleep is over at once, and makes it later by as much
/// as was asked for. Limits still hold: those of time are kept by the machine's clock, but for that of sleep.
///
/// | field | default |
/// |---|---|
/// | `start` | 2000-01-01T00:00:00Z |
/// | `seed` | 0 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Determinism {
    /// When every guest begins; not before 1970.
    pub start: SystemTime,
    /// What random numbers are made of.
    pub seed: u64,
}

impl Default for Determinism {
    fn default() -> Self {
        Self { start: SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_800), seed: 0 }
    }
}

impl fmt::Display for Determinism {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = since_1970(self.start) / 1_000_000_000;
        write!(formatter, "the same each time: begins {seconds} s after 1970, random numbers of the seed {}", self.seed)
    }
}

/// The clocks and the random source of one guest.
#[derive(Debug)]
pub(crate) enum System {
    Machine,
    MadeUp { determinism: Determinism, state: Mutex<State> },
}

#[derive(Debug, Default)]
pub(crate) struct State {
    passed: u64,
    seeds: u64,
}

impl System {
    pub(crate) fn new(determinism: Option<Determinism>) -> Self {
        match determinism {
            None => Self::Machine,
            Some(determinism) => Self::MadeUp { determinism, state: Mutex::default() },
        }
    }

    /// Nanoseconds since 1970; 0 if the machine's clock is before that.
    pub(crate) fn wall_clock(&self) -> u64 {
        match self {
            Self::Machine => since_1970(SystemTime::now()),
            Self::MadeUp { determinism, .. } => since_1970(determinism.start).saturating_add(self.later(STEP)),
        }
    }

    /// Nanoseconds since the first question of this process: how long the machine is up is nobody's business.
    pub(crate) fn monotonic_clock(&self) -> u64 {
        static ORIGIN: OnceLock<Instant> = OnceLock::new();
        match self {
            Self::Machine => {
                let origin = *ORIGIN.get_or_init(Instant::now);
                u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
            }
            Self::MadeUp { .. } => self.later(STEP),
        }
    }

    /// Has the guest sleep without waiting, if its time is made up.
    pub(crate) fn sleeps(&self, time: Duration) -> bool {
        if matches!(self, Self::Machine) {
            return false;
        }
        self.later(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        true
    }

    /// From the secure source of the operating system, or made of the seed and of how many there were before.
    pub(crate) fn random_seed(&self) -> [u8; 32] {
        match self {
            Self::Machine => rand::random(),
            Self::MadeUp { determinism, state } => {
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.seeds += 1;
                let mut hasher = Sha256::new();
                hasher.update(determinism.seed.to_le_bytes());
                hasher.update(state.seeds.to_le_bytes());
                hasher.finalize().into()
            }
        }
    }

    fn later(&self, nanoseconds: u64) -> u64 {
        let Self::MadeUp { state, .. } = self else { return 0 };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.passed = state.passed.saturating_add(nanoseconds);
        state.passed
    }
}

fn since_1970(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
