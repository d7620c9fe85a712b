//! How long a store may take.

use std::time::Duration;

/// How long a store may take to answer.
pub(crate) const TIME: Duration = Duration::from_secs(30);

/// Bytes that can be transferred in a second, at least.
const BYTES_PER_SECOND: u64 = 256 << 10;

/// How long the transfer of some bytes may take.
pub(crate) fn time_for(bytes: u64) -> Duration {
    TIME + Duration::from_secs(bytes / BYTES_PER_SECOND)
}
