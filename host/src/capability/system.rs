//! Time and chance (`wit/system.wit`).

use std::{
    sync::OnceLock,
    time::{Instant, SystemTime},
};

/// Nanoseconds since 1970; 0 if the machine's clock is before that.
pub(crate) fn wall_clock() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

/// Nanoseconds since the first question of this process: how long the machine is up is nobody's business.
pub(crate) fn monotonic_clock() -> u64 {
    static ORIGIN: OnceLock<Instant> = OnceLock::new();
    let origin = *ORIGIN.get_or_init(Instant::now);
    u64::try_from(origin.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// From the secure source of the operating system.
pub(crate) fn random_seed() -> [u8; 32] {
    rand::random()
}
