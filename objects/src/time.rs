//! Time limits for requests to a store.

use std::time::Duration;

/// Time limit for the answer of a store.
pub(crate) const TIME: Duration = Duration::from_secs(30);

/// Minimum number of bytes that can be transferred in a second.
const BYTES_PER_SECOND: u64 = 256 << 10;

/// Time limit for a request that transfers this many bytes.
pub(crate) fn time_for(bytes: u64) -> Duration {
    TIME + Duration::from_secs(bytes / BYTES_PER_SECOND)
}
