//! The limits of a server.

use std::time::Duration;

use isolette::Budget;

const MIB: u64 = 1 << 20;

/// Limits of a server. The limits of each run are those of its sandbox.
///
/// | limit | default | when it is reached |
/// |---|---|---|
/// | `concurrent_runs` | 16 | runs wait; clients take turns |
/// | `waiting_runs` | 256 | the call fails with `Busy` |
/// | `waiting_time` | 2 min | the call fails with `Busy` |
/// | `sandboxes` | 32 | no further sandbox can be created |
/// | `sandbox_idle` | 15 min | an unused sandbox ends |
/// | `snapshots`, `snapshot_bytes` | 32, 1 GiB | no further snapshot can be taken; unused ones end after `sandbox_idle` |
/// | `task_after` | 5 s | a call continues as a task, if its client supports tasks |
/// | `tasks` | 64 | the oldest fetched result is removed; without one, calls last until their program ends |
/// | `approval_time` | 1 day | a program that waits in the directory of [`Server::keep_state`](crate::Server::keep_state) is cancelled; that of a task is denied its call |
/// | `paused_programs`, `paused_bytes` | 1,024, 1 GiB | further paused programs wait in the process, and do not survive it; further programs that have not begun are refused with `Busy` |
/// | `output_files` | 20 | the call fails with `OutputLimit`; the first files are attached |
/// | `output_file_bytes`, `output_total_bytes` | 5 MiB, 20 MiB | files beyond are listed, not attached |
/// | `text_characters` | 20,000 | the middle of a text is omitted; the whole is a resource |
/// | `message_bytes` | 16 MiB | a longer message is refused unread |
/// | `budget` | none | calls and requests fail inside the program; without remaining time, no program runs |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// Maximum number of programs that run at the same time.
    pub concurrent_runs: usize,
    /// Maximum number of programs that wait for their turn.
    pub waiting_runs: usize,
    /// How long a program waits for its sandbox and its turn. It does not count towards its run time.
    pub waiting_time: Duration,
    /// Maximum number of sandboxes that keep their state between calls.
    pub sandboxes: usize,
    /// How long such a sandbox may be unused.
    pub sandbox_idle: Duration,
    /// Maximum number of snapshots of sandboxes.
    pub snapshots: usize,
    /// Maximum number of bytes that all snapshots keep in memory.
    pub snapshot_bytes: u64,
    /// Time after which the call of a running program is answered with a task, which the client polls. Clients that do
    /// not declare the extension `io.modelcontextprotocol/tasks` wait until the program ends.
    pub task_after: Duration,
    /// Maximum number of running tasks and kept results together. With 0 the extension is not offered.
    pub tasks: usize,
    /// How long a program may wait for approvals in the directory of [`Server::keep_state`](crate::Server::keep_state): for each
    /// one. It does not count towards its run time.
    pub approval_time: Duration,
    /// Maximum number of paused programs in files of that directory.
    pub paused_programs: usize,
    /// Maximum number of bytes of these files together.
    pub paused_bytes: u64,
    /// Maximum number of files that are attached to a result.
    pub output_files: usize,
    /// Maximum size of an attached file in bytes.
    pub output_file_bytes: u64,
    /// Maximum size of all attached files in bytes.
    pub output_total_bytes: u64,
    /// Maximum number of characters of the value, of standard output, of standard error and of the error in a result,
    /// each; also of a file that is read and of a list of files.
    pub text_characters: usize,
    /// Maximum length of a message from a client in bytes.
    pub message_bytes: usize,
    /// The shared budget of programs: one for each sandbox that keeps its state, and one for all other programs of the
    /// server.
    pub budget: BudgetLimits,
}

/// The parts of a budget. A part without a value has no limit; the limits of each run apply as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetLimits {
    /// Number of tool calls.
    pub tool_calls: Option<u64>,
    /// Number of HTTP requests, redirects included.
    pub http_requests: Option<u64>,
    /// Wall time of runs.
    pub time: Option<Duration>,
}

impl BudgetLimits {
    /// Makes an unused budget, if any part is limited.
    pub(crate) fn budget(self) -> Option<Budget> {
        let mut budget = Budget::new();
        if let Some(calls) = self.tool_calls {
            budget = budget.tool_calls(calls);
        }
        if let Some(requests) = self.http_requests {
            budget = budget.http_requests(requests);
        }
        if let Some(time) = self.time {
            budget = budget.time(time);
        }
        (self != Self::default()).then_some(budget)
    }
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            concurrent_runs: 16,
            waiting_runs: 256,
            waiting_time: Duration::from_secs(2 * 60),
            sandboxes: 32,
            sandbox_idle: Duration::from_secs(15 * 60),
            snapshots: 32,
            snapshot_bytes: 1 << 30,
            task_after: Duration::from_secs(5),
            tasks: 64,
            approval_time: Duration::from_secs(24 * 60 * 60),
            paused_programs: 1024,
            paused_bytes: 1 << 30,
            output_files: 20,
            output_file_bytes: 5 * MIB,
            output_total_bytes: 20 * MIB,
            text_characters: 20_000,
            message_bytes: 16 << 20,
            budget: BudgetLimits::default(),
        }
    }
}
