//! How much a run may use. Each default has its reason beside it.

use std::time::Duration;

use serde::{Serialize, Serializer};

const MIB: u64 = 1 << 20;

/// The limits of one run. Every one is finite by default, and holds for the run as a whole: what is tried again and what is
/// redirected counts too.
///
/// | limit | default | what happens beyond it |
/// |---|---|---|
/// | `wall_time` | 30 s | the run ends with [`Error::Timeout`](isolette_types::Error::Timeout) |
/// | `cpu_time` | 30 s | the run ends with [`Error::CpuTime`](isolette_types::Error::CpuTime) |
/// | `sleep` | 30 s | the run ends with [`Error::Sleep`](isolette_types::Error::Sleep) |
/// | `host_calls_per_second` | 500,000 | the run ends with [`Error::HostCallRate`](isolette_types::Error::HostCallRate) |
/// | `memory` | 256 MiB | allocations fail inside the guest (`MemoryError`, `out of memory`); if it cannot cope, [`Error::OutOfMemory`](isolette_types::Error::OutOfMemory) |
/// | `code` | 10 MiB | [`Error::LimitExceeded`](isolette_types::Error::LimitExceeded), nothing runs |
/// | `stdout`, `stderr` | 1 MiB each | the rest is dropped and `truncated` is set |
/// | `value` | 1 MiB | the value is dropped and `truncated` is set |
/// | `error` | 256 KiB | message and traceback of an exception are cut and `truncated` is set |
/// | `payload` | 64 MiB | long arguments, bodies and values that are under way at the same time, and the memory that the arguments of a tool take as values; a call beyond it fails inside the guest |
/// | `calls_recorded` | 1,000 | later host calls are counted, and not listed |
/// | `tool_calls` | 1,000 | the call fails inside the guest with a budget error |
/// | `capability_calls` | 10,000 | the call of a custom interface fails inside the guest with a budget error |
/// | `resources` | 1,000 | a call that would give one more fails inside the guest with a budget error |
/// | `http_requests` | 1,000 | the request fails inside the guest with a budget error |
/// | `http_concurrent` | 8 | further requests wait, within their time |
/// | `http_body` | 16 MiB | a longer request is refused, a longer response (content codings undone) is cut and marked `truncated` |
/// | `http_total_bytes` | 256 MiB | bodies that are sent, and all that comes back: as it came over the wire (heads, chunks and encryption too) or as what it became without content coding, whichever is more for each request; redirects and failed requests included; the request fails inside the guest with a budget error, also one under way |
/// | `http_headers`, `http_header_bytes` | 128, 32 KiB | a request with more is refused, a response with more is an error |
/// | `http_redirects` | 10 | the request fails inside the guest |
/// | `http_request_time` | 30 s | the request fails inside the guest with a timeout |
/// | `http_total_time` | 5 min | all requests of a run, without waiting for approval; the request fails inside the guest with a budget error, also one under way |
/// | `file_bytes` | 256 MiB | the write fails inside the guest (`EFBIG`) |
/// | `file_total_bytes` | 1 GiB | the write fails inside the guest (`ENOSPC`) |
/// | `file_count` | 10,000 | the creation fails inside the guest (`ENOSPC`) |
/// | `file_depth`, `file_name_bytes` | 32, 255 | the creation fails inside the guest (`ENAMETOOLONG`) |
/// | `audit_bytes` | 16 MiB | with an audit: beyond half of it calls for files are counted and not put on record one by one; beyond all of it, at its next other call, the run ends with [`Error::AuditLimit`](isolette_types::Error::AuditLimit) |
///
/// Those of files are for what a guest writes to mounts, and what `Session::write_file` puts
/// there, by length and not by what the disk needs for it: a file that is stretched to a gigabyte counts as one. What is in
/// `/tmp` is in the guest's memory. Whatever a limit cut off or refused in a run is in
/// [`ExecutionResult::limits_reached`](isolette_types::ExecutionResult::limits_reached).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Guest and host calls together. A model's patience is a minute; half of it goes to the program.
    #[serde(rename = "wall_time_ms", serialize_with = "milliseconds")]
    pub wall_time: Duration,
    /// Time of a processor for the guest and for answering it, tools apart. As long as the wall time by default, so that it
    /// counts where somebody makes that one longer for the sake of slow tools and servers.
    #[serde(rename = "cpu_time_ms", serialize_with = "milliseconds")]
    pub cpu_time: Duration,
    /// All sleeps of the program together. Whoever sleeps holds memory and a place that others wait for.
    #[serde(rename = "sleep_ms", serialize_with = "milliseconds")]
    pub sleep: Duration,
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
    /// Bytes of an exception's message, and as many of its traceback.
    pub error: u64,
    /// Bytes that the host keeps for the guest at one time.
    pub payload: u64,
    /// Messages over the wall in any second. Honest programs make some thousands.
    pub host_calls_per_second: u64,
    /// Host calls listed in the outcome.
    pub calls_recorded: u64,
    /// How often tools may be called.
    pub tool_calls: u64,
    /// How often functions of custom interfaces may be called. They are made for many small calls.
    pub capability_calls: u64,
    /// How many resources of custom interfaces a guest may hold at the same time.
    pub resources: u64,
    /// How many requests may be sent, redirects and those that are sent again on a new connection included.
    pub http_requests: u64,
    /// Requests under way at one time, of all runs of a sandbox together.
    pub http_concurrent: u64,
    /// Bytes of one request's or one response's body.
    pub http_body: u64,
    /// Bytes of all bodies together.
    pub http_total_bytes: u64,
    /// Headers of one request or one response.
    pub http_headers: u64,
    /// Bytes of their names and values; at most 32 KiB.
    pub http_header_bytes: u64,
    /// Redirects that one request may follow.
    pub http_redirects: u64,
    /// For one request with its redirects.
    #[serde(rename = "http_request_time_ms", serialize_with = "milliseconds")]
    pub http_request_time: Duration,
    /// For all requests together.
    #[serde(rename = "http_total_time_ms", serialize_with = "milliseconds")]
    pub http_total_time: Duration,
    /// Bytes of one file that a guest writes.
    pub file_bytes: u64,
    /// Bytes by which all files together may grow.
    pub file_total_bytes: u64,
    /// Files and directories that may be made.
    pub file_count: u64,
    /// How deep below a mount they may be.
    pub file_depth: u64,
    /// Bytes of one name.
    pub file_name_bytes: u64,
    /// Bytes of JSON that one run may fill of an `Audit`.
    pub audit_bytes: u64,
}

impl Limits {
    /// No limit, for whoever means it. Memory is always limited.
    pub const UNLIMITED: u64 = u64::MAX;

    /// No limit of time, for whoever means it.
    pub const UNLIMITED_TIME: Duration = Duration::MAX;

    /// What a message of the wall has room for.
    pub const MOST_HEADER_BYTES: u64 = 32 << 10;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall_time: Duration::from_secs(30),
            cpu_time: Duration::from_secs(30),
            sleep: Duration::from_secs(30),
            memory: 256 * MIB,
            code: 10 * MIB,
            stdout: MIB,
            stderr: MIB,
            value: MIB,
            error: MIB / 4,
            payload: 64 * MIB,
            host_calls_per_second: 500_000,
            calls_recorded: 1_000,
            tool_calls: 1_000,
            capability_calls: 10_000,
            resources: 1_000,
            http_requests: 1_000,
            http_concurrent: 8,
            http_body: 16 * MIB,
            http_total_bytes: 256 * MIB,
            http_headers: 128,
            http_header_bytes: Self::MOST_HEADER_BYTES,
            http_redirects: 10,
            http_request_time: Duration::from_secs(30),
            http_total_time: Duration::from_secs(300),
            file_bytes: 256 * MIB,
            file_total_bytes: 1024 * MIB,
            file_count: 10_000,
            file_depth: 32,
            file_name_bytes: 255,
            audit_bytes: 16 * MIB,
        }
    }
}

fn milliseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
}
