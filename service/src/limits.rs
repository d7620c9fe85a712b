//! The limits of a service.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Limits of a service. The limits of each run are those of its policy. [`ResponseMemory`](isolette::values::ResponseMemory) limits
/// what waits to be sent, for the whole process: requests beyond it have status 503.
///
/// | limit | default | when it is reached |
/// |---|---|---|
/// | `concurrent_runs` | 16 | runs wait; callers take turns |
/// | `waiting_runs` | 256 | status 429 |
/// | `waiting_time` | 2 min | status 429 |
/// | `guests` | 2,048 | the least recently used context is saved; without one, status 429 |
/// | `sandboxes` | 10,000 | status 429 |
/// | `sandboxes_of_caller` | 1,000 | status 429 |
/// | `runs_of_caller` | 64 | status 429 |
/// | `contexts` | 16 for each sandbox | status 409 |
/// | `snapshots_of_caller` | 1,000 | status 429 |
/// | `kept_run_bytes` | 4 GiB for each caller | the oldest records of its ended runs are deleted |
/// | `kept_response_bytes` | 256 MiB for each caller | its requests with `Idempotency-Key` have status 429 |
/// | `sandbox_file_bytes` | 1 GiB for each sandbox, a file counting 4 KiB at least | programs fail, and uploads with status 507 |
/// | `stored_bytes` | 64 GiB | snapshots, pauses and programs in contexts are refused with status 507 |
/// | `stored_bytes_of_caller` | an equal share of `stored_bytes` for each caller | the same, for this caller |
/// | `ttl`, `longest_ttl` | 1 day, 30 days | the sandbox is deleted |
/// | `idle` | 5 min | the sandbox is saved; with isolation `wasm`, its contexts end |
/// | `kept_runs` | 7 days | records of ended runs are deleted |
/// | `body_bytes` | 16 MiB | status 413 |
/// | `file_bytes` | 64 MiB | status 413 |
/// | `connections` | 1,024 | others wait to be accepted |
/// | `send_time` | 1 min | a connection whose client takes less than 64 KiB of what waits for it in this time is closed |
/// | `drain` | 10 s | runs that remain after the shutdown has begun are cancelled |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServiceLimits {
    /// Maximum number of programs that run at the same time.
    pub concurrent_runs: usize,
    /// Maximum number of programs that wait for their turn.
    pub waiting_runs: usize,
    /// How long a program waits for its context and its turn. It does not count towards its run time.
    pub waiting_time: Duration,
    /// Maximum number of live guests.
    pub guests: usize,
    /// Maximum number of sandboxes, saved ones included.
    pub sandboxes: usize,
    /// Maximum number of sandboxes of one caller.
    pub sandboxes_of_caller: usize,
    /// Maximum number of runs of one caller that have not ended.
    pub runs_of_caller: usize,
    /// Maximum number of contexts of one sandbox.
    pub contexts: usize,
    /// Maximum number of snapshots of one caller.
    pub snapshots_of_caller: usize,
    /// Maximum number of bytes of the records of ended runs of one caller, with their output.
    pub kept_run_bytes: u64,
    /// Maximum number of bytes of the responses that are kept for the keys of one caller. A key that was used must not be forgotten
    /// early, so no response is deleted for another.
    pub kept_response_bytes: u64,
    /// Maximum number of bytes of the files of one sandbox, at the beginning of a program and after an upload. What a program writes
    /// is limited by its policy.
    pub sandbox_file_bytes: u64,
    /// Maximum number of bytes of everything that is stored beside the database, except for the files of sandboxes.
    pub stored_bytes: u64,
    /// Maximum number of bytes of this that one caller has. Without a value, each caller has an equal share of all, so that none can
    /// use up what others need: `stored_bytes`, divided by the number of callers that have tokens.
    pub stored_bytes_of_caller: Option<u64>,
    /// How long a sandbox exists if its creator says nothing.
    pub ttl: Duration,
    /// The longest time from now that a sandbox can be given.
    pub longest_ttl: Duration,
    /// How long a sandbox may be unused before it is saved, if its creator says nothing.
    pub idle: Duration,
    /// How long records of ended runs are kept.
    pub kept_runs: Duration,
    /// Maximum length of the body of a request in bytes, except for files.
    pub body_bytes: usize,
    /// Maximum length of a file that is uploaded or downloaded in bytes.
    pub file_bytes: usize,
    /// Maximum number of connections at the same time.
    pub connections: usize,
    /// How long responses wait for a client that reads less than 64 KiB of them.
    pub send_time: Duration,
    /// How long runs may continue after shutdown has begun.
    pub drain: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            concurrent_runs: 16,
            waiting_runs: 256,
            waiting_time: Duration::from_secs(2 * 60),
            guests: 2048,
            sandboxes: 10_000,
            sandboxes_of_caller: 1000,
            runs_of_caller: 64,
            contexts: 16,
            snapshots_of_caller: 1000,
            kept_run_bytes: 4 << 30,
            kept_response_bytes: 256 << 20,
            sandbox_file_bytes: 1 << 30,
            stored_bytes: 64 << 30,
            stored_bytes_of_caller: None,
            ttl: DAY,
            longest_ttl: DAY * 30,
            idle: Duration::from_secs(5 * 60),
            kept_runs: DAY * 7,
            body_bytes: 16 << 20,
            file_bytes: 64 << 20,
            connections: 1024,
            send_time: Duration::from_secs(60),
            drain: Duration::from_secs(10),
        }
    }
}
