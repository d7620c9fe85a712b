//! Clocks and random numbers (`wit/system.wit`): those of the machine, or deterministic ones.

use std::{
    fmt,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Nanoseconds by which each clock query advances a deterministic clock, so that a program that polls for a time
/// reaches it.
const STEP: u64 = 1_000;

/// Deterministic clocks and random numbers, for tests: every guest starts at the same time and gets the same random
/// numbers. Each clock query advances the time by one microsecond. A sleep returns at once and advances the time by its
/// duration. Limits still apply: time limits are measured with the machine's clock, except the limit on sleep, which
/// counts the requested durations.
///
/// | field | default |
/// |---|---|
/// | `start` | 2000-01-01T00:00:00Z |
/// | `seed` | 0 |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Determinism {
    /// The time at which every guest starts; not before 1970.
    pub start: SystemTime,
    /// The seed of the random numbers.
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
    Machine {
        /// Nanoseconds that the monotonic clock is ahead of that of this process, since the guest has read it in another one.
        ahead: u64,
    },
    MadeUp {
        determinism: Determinism,
        state: Mutex<SystemState>,
    },
}

/// What a guest has used of deterministic clocks and random numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SystemState {
    passed: u64,
    seeds: u64,
    /// The monotonic clock of a machine before that, in nanoseconds.
    monotonic: u64,
}

impl System {
    /// Continues after what another guest has used.
    pub(crate) fn continued(determinism: Option<Determinism>, state: &SystemState) -> Self {
        match determinism {
            None => {
                let so_far = state.monotonic.saturating_add(state.passed);
                Self::Machine { ahead: so_far.saturating_sub(since_origin()) }
            }
            Some(determinism) => Self::MadeUp { determinism, state: Mutex::new(state.clone()) },
        }
    }

    /// The same clocks and random source in another state.
    pub(crate) fn with(&self, state: &SystemState) -> Self {
        match self {
            Self::Machine { .. } => Self::continued(None, state),
            Self::MadeUp { determinism, .. } => Self::continued(Some(*determinism), state),
        }
    }

    pub(crate) fn state(&self) -> SystemState {
        match self {
            Self::Machine { .. } => SystemState { monotonic: self.monotonic_clock(), ..SystemState::default() },
            Self::MadeUp { state, .. } => state.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Nanoseconds since 1970; 0 if the machine's clock is before that.
    pub(crate) fn wall_clock(&self) -> u64 {
        match self {
            Self::Machine { .. } => since_1970(SystemTime::now()),
            Self::MadeUp { determinism, .. } => since_1970(determinism.start).saturating_add(self.later(STEP)),
        }
    }

    /// Nanoseconds since the first query in this process, or more if the guest continues from a state of another process, so
    /// that the clock never goes back. The uptime of the machine is not exposed to guests.
    pub(crate) fn monotonic_clock(&self) -> u64 {
        match self {
            Self::Machine { ahead } => since_origin().saturating_add(*ahead),
            // What comes before is that of a machine, from whose state the guest continues.
            Self::MadeUp { state, .. } => {
                let before = state.lock().unwrap_or_else(PoisonError::into_inner).monotonic;
                before.saturating_add(self.later(STEP))
            }
        }
    }

    /// Whether the sleep has been simulated by advancing a deterministic clock. `false` means that the caller has to
    /// wait.
    pub(crate) fn sleeps(&self, time: Duration) -> bool {
        if matches!(self, Self::Machine { .. }) {
            return false;
        }
        self.later(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        true
    }

    /// Returns a seed from the secure source of the operating system, or one derived from the configured seed and a
    /// counter.
    pub(crate) fn random_seed(&self) -> [u8; 32] {
        match self {
            Self::Machine { .. } => rand::random(),
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

/// Nanoseconds since the first call in this process.
fn since_origin() -> u64 {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    u64::try_from(ORIGIN.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn since_1970(time: SystemTime) -> u64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
