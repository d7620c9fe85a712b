//! Clocks, sleep and randomness (`wit/system.wit`).

use serde::{Deserialize, Serialize};

/// A call that concerns time or randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// Returns the current time. The reply is `u64`: nanoseconds since 1970-01-01T00:00:00Z.
    WallClock,
    /// Returns a time that never decreases. The reply is `u64`: nanoseconds since an arbitrary time.
    MonotonicClock,
    /// Waits for the given number of nanoseconds. The reply is `()`.
    Sleep(u64),
    /// Returns new random bytes. The reply is `[u8; 32]`.
    RandomSeed,
    /// Returns the time that remains until the host ends the run. The reply is `u64`: nanoseconds.
    DeadlineRemaining,
}
