//! Time and chance (`wit/system.wit`).

use serde::{Deserialize, Serialize};

/// What a guest asks of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// The reply is `u64`: nanoseconds since 1970.
    WallClock,
    /// The reply is `u64`: nanoseconds since an arbitrary moment.
    MonotonicClock,
    /// Waits for so many nanoseconds. The reply is `()`.
    Sleep(u64),
    /// The reply is `[u8; 32]`.
    RandomSeed,
    /// The reply is `u64`: nanoseconds.
    DeadlineLeft,
}
