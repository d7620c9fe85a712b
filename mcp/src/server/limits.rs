//! How much of everything a server gives, in one place.

use std::time::Duration;

const MIB: u64 = 1 << 20;

/// Limits of a server. Those of a run are the sandbox's own.
///
/// | limit | default | when it is reached |
/// |---|---|---|
/// | `concurrent_runs` | 16 | runs wait; clients take turns |
/// | `waiting_runs` | 256 | the call fails with `Busy` |
/// | `sandboxes` | 32 | no other can be created |
/// | `sandbox_idle` | 15 min | a sandbox that nobody uses ends |
/// | `output_files` | 20 | the call fails with `OutputLimit`; the first ones are attached |
/// | `output_file_bytes`, `output_total_bytes` | 5 MiB, 20 MiB | files beyond are listed, not attached |
/// | `text_characters` | 20,000 | the middle of a text is left out; the whole is a resource |
/// | `message_bytes` | 16 MiB | a longer message is refused unread |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// Programs that run at the same time.
    pub concurrent_runs: usize,
    /// Programs that wait for their turn.
    pub waiting_runs: usize,
    /// Sandboxes that live on.
    pub sandboxes: usize,
    /// How long one may live without being used.
    pub sandbox_idle: Duration,
    /// Files that a result brings along.
    pub output_files: usize,
    /// Bytes of one of them.
    pub output_file_bytes: u64,
    /// Bytes of all of them.
    pub output_total_bytes: u64,
    /// Characters of the value, of standard output and of standard error in a result, each.
    pub text_characters: usize,
    /// Bytes of one message from a client.
    pub message_bytes: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            concurrent_runs: 16,
            waiting_runs: 256,
            sandboxes: 32,
            sandbox_idle: Duration::from_secs(15 * 60),
            output_files: 20,
            output_file_bytes: 5 * MIB,
            output_total_bytes: 20 * MIB,
            text_characters: 20_000,
            message_bytes: 16 << 20,
        }
    }
}
