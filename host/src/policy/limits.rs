//! How much a run may use. Each default has its reason beside it.

use std::time::Duration;

use serde::{Serialize, Serializer};

const MIB: u64 = 1 << 20;

/// The limits of one run. Every one is finite by default.
///
/// | limit | default | what happens beyond it |
/// |---|---|---|
/// | `wall_time` | 30 s | the run ends with [`Error::Timeout`](crate::Error::Timeout) |
/// | `memory` | 256 MiB | allocations fail inside the guest (`MemoryError`, `out of memory`); if it cannot cope, [`Error::OutOfMemory`](crate::Error::OutOfMemory) |
/// | `code` | 10 MiB | [`Error::LimitExceeded`](crate::Error::LimitExceeded), nothing runs |
/// | `stdout`, `stderr` | 1 MiB each | the rest is dropped and `truncated` is set |
/// | `value` | 1 MiB | the value is dropped and `truncated` is set |
/// | `tool_calls` | 1,000 | the call fails inside the guest with a budget error |
/// | `capability_calls` | 10,000 | the call fails inside the guest with a budget error |
/// | `resources` | 1,000 | a call that would give one more fails inside the guest with a budget error |
/// | `http_requests` | 1,000 | the request fails inside the guest with a budget error |
/// | `http_body` | 16 MiB | a longer request is refused, a longer response is cut and marked `truncated` |
/// | `payload` | 64 MiB | long arguments, bodies and values that are under way at the same time; a call beyond it fails inside the guest |
/// | `calls_recorded` | 1,000 | later host calls are counted, and not listed |
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Guest and host calls together. A model's patience is a minute; half of it goes to the program.
    #[serde(rename = "wall_time_ms", serialize_with = "milliseconds")]
    pub wall_time: Duration,
    /// Bytes of linear memory, of which a Python image uses some 40 MiB before the program starts.
    pub memory: u64,
    /// Bytes of source.
    pub code: u64,
    /// Bytes; more than any model reads.
    pub stdout: u64,
    /// Bytes.
    pub stderr: u64,
    /// Bytes of JSON.
    pub value: u64,
    /// How often tools may be called.
    pub tool_calls: u64,
    /// How often functions of custom interfaces may be called. They are made for many small calls.
    pub capability_calls: u64,
    /// How many resources of custom interfaces a guest may hold at the same time.
    pub resources: u64,
    /// How many requests may be sent, redirects included.
    pub http_requests: u64,
    /// Bytes of one request's or one response's body.
    pub http_body: u64,
    /// Bytes that the host keeps for the guest at one time.
    pub payload: u64,
    /// Host calls listed in the outcome.
    pub calls_recorded: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall_time: Duration::from_secs(30),
            memory: 256 * MIB,
            code: 10 * MIB,
            stdout: MIB,
            stderr: MIB,
            value: MIB,
            tool_calls: 1_000,
            capability_calls: 10_000,
            resources: 1_000,
            http_requests: 1_000,
            http_body: 16 * MIB,
            payload: 64 * MIB,
            calls_recorded: 1_000,
        }
    }
}

fn milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
