//! The limits of a run, with the reason for each default.

use std::time::Duration;

use serde::{Serialize, Serializer};

const MIB: u64 = 1 << 20;

/// The limits of one run. Each is finite by default, and applies to the run as a whole: retries and redirects count
/// too.
///
/// | limit | default | what happens beyond it |
/// |---|---|---|
/// | `timeout` | 30 s | the run ends with [`Error::Timeout`](isolette_types::Error::Timeout) |
/// | `cpu_time` | 30 s | the run ends with [`Error::CpuTimeExceeded`](isolette_types::Error::CpuTimeExceeded) |
/// | `sleep` | 30 s | the run ends with [`Error::SleepExceeded`](isolette_types::Error::SleepExceeded) |
/// | `host_calls_per_second` | 500,000 | the run ends with [`Error::HostCallRateExceeded`](isolette_types::Error::HostCallRateExceeded) |
/// | `memory` | 256 MiB | allocations fail inside the guest (`MemoryError`, `out of memory`); if it cannot cope, [`Error::OutOfMemory`](isolette_types::Error::OutOfMemory) |
/// | `code` | 10 MiB | [`Error::LimitExceeded`](isolette_types::Error::LimitExceeded), nothing runs |
/// | `stdout`, `stderr` | 1 MiB each | the rest is dropped and `truncated` is set |
/// | `value` | 1 MiB | the value is dropped and `truncated` is set |
/// | `error` | 256 KiB | message and traceback of an exception are cut and `truncated` is set |
/// | `payload` | 64 MiB | long arguments, bodies and values that are in flight at the same time, and the memory that the arguments of a tool take as values; a call beyond it fails inside the guest |
/// | `calls_recorded` | 1,000 | later host calls are counted, and not listed |
/// | `tool_calls` | 1,000 | the call fails inside the guest with a budget error |
/// | `capability_calls` | 10,000 | the call of a custom interface fails inside the guest with a budget error |
/// | `resources` | 1,000 | a call that would return one more fails inside the guest with a budget error |
/// | `http_requests` | 1,000 | the request fails inside the guest with a budget error |
/// | `http_concurrent` | 8 | further requests wait, within their time |
/// | `http_body` | 16 MiB | a longer request is refused, a longer response (content codings decoded) is cut and marked `truncated` |
/// | `http_total_bytes` | 256 MiB | bodies that are sent, and all that is received: as received over the wire (heads, chunks and encryption too) or after content decoding, whichever is more for each request; redirects and failed requests included; the request fails inside the guest with a budget error, also one in flight |
/// | `http_headers`, `http_header_bytes` | 128, 32 KiB | a request with more is refused, a response with more is an error |
/// | `http_redirects` | 10 | the request fails inside the guest |
/// | `http_request_time` | 30 s | the request fails inside the guest with a timeout |
/// | `http_total_time` | 5 min | all requests of a run, without waiting for approval; the request fails inside the guest with a budget error, also one in flight |
/// | `file_bytes` | 256 MiB | the write fails inside the guest (`EFBIG`) |
/// | `file_total_bytes` | 1 GiB | the write fails inside the guest (`ENOSPC`) |
/// | `file_count` | 10,000 | the creation fails inside the guest (`ENOSPC`) |
/// | `file_depth`, `file_name_bytes` | 32, 255 | the creation fails inside the guest (`ENAMETOOLONG`) |
/// | `audit_bytes` | 16 MiB | with an audit: beyond half of it file operations are counted and not recorded one by one; beyond all of it, at its next other call, the run ends with [`Error::AuditBytesExceeded`](isolette_types::Error::AuditBytesExceeded) |
///
/// The limits on files apply to what a guest writes to mounts and to what `Session::write_file` puts there. They count
/// lengths, not disk usage: a sparse file that is extended to a gigabyte counts as one. Files in `/tmp` are in the
/// guest's memory. [`ExecutionResult::limits_reached`](isolette_types::ExecutionResult::limits_reached) lists the
/// limits that truncated or refused something in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Limits {
    /// Wall time of the guest and its host calls together. Half of a model's usual timeout of one minute.
    #[serde(rename = "timeout_ms", serialize_with = "milliseconds")]
    pub timeout: Duration,
    /// CPU time of the guest and of the host's work for its calls, without tools. By default as long as the timeout,
    /// so that it takes effect where the timeout is raised for slow tools and servers.
    #[serde(rename = "cpu_time_ms", serialize_with = "milliseconds")]
    pub cpu_time: Duration,
    /// All sleeps of the program together. A sleeping program holds memory and a slot that other runs wait for.
    #[serde(rename = "sleep_ms", serialize_with = "milliseconds")]
    pub sleep: Duration,
    /// Bytes of linear memory, of which a Python image uses about 40 MiB before the program starts.
    pub memory: u64,
    /// Bytes of source code.
    pub code: u64,
    /// Bytes of standard output; more than any model reads.
    pub stdout: u64,
    /// Bytes of standard error.
    pub stderr: u64,
    /// Bytes of the value, as JSON.
    pub value: u64,
    /// Bytes of an exception's message, and as many of its traceback.
    pub error: u64,
    /// Bytes of long payloads that the host keeps for the guest at one time.
    pub payload: u64,
    /// Host calls in any second. Ordinary programs make some thousands.
    pub host_calls_per_second: u64,
    /// Host calls that the result lists.
    pub calls_recorded: u64,
    /// Number of tool calls.
    pub tool_calls: u64,
    /// Number of calls of custom interfaces, which are designed for many small calls.
    pub capability_calls: u64,
    /// Resources of custom interfaces that a guest may hold at the same time.
    pub resources: u64,
    /// Number of HTTP requests, redirects and repetitions on a new connection included.
    pub http_requests: u64,
    /// HTTP requests in flight at one time, of all runs of a sandbox together.
    pub http_concurrent: u64,
    /// Bytes of the body of one request or response.
    pub http_body: u64,
    /// Bytes of all HTTP traffic together.
    pub http_total_bytes: u64,
    /// Headers of one request or response.
    pub http_headers: u64,
    /// Bytes of the names and values of those headers; at most 32 KiB.
    pub http_header_bytes: u64,
    /// Redirects that one request may follow.
    pub http_redirects: u64,
    /// Time for one request with its redirects.
    #[serde(rename = "http_request_time_ms", serialize_with = "milliseconds")]
    pub http_request_time: Duration,
    /// Time for all requests together.
    #[serde(rename = "http_total_time_ms", serialize_with = "milliseconds")]
    pub http_total_time: Duration,
    /// Bytes of one file that a guest writes.
    pub file_bytes: u64,
    /// Bytes by which all files together may grow.
    pub file_total_bytes: u64,
    /// Files and directories that a guest may create.
    pub file_count: u64,
    /// Maximum directory depth below a mount.
    pub file_depth: u64,
    /// Bytes of one file name.
    pub file_name_bytes: u64,
    /// Bytes of JSON that one run may write to an `Audit`.
    pub audit_bytes: u64,
}

impl Limits {
    /// The value for an explicitly unlimited amount. Memory cannot be unlimited.
    pub const UNLIMITED: u64 = u64::MAX;

    /// The value for an explicitly unlimited time.
    pub const UNLIMITED_TIME: Duration = Duration::MAX;

    /// The maximum of `http_header_bytes`: more does not fit into one message of the host call ABI.
    pub const MOST_HEADER_BYTES: u64 = 32 << 10;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
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
