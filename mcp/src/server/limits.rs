//! How much of everything a server gives, in one place.

use std::time::Duration;

use isolette::Budget;

const MIB: u64 = 1 << 20;

/// Limits of a server. Those of a run are the sandbox's own.
///
/// | limit | default | when it is reached |
/// |---|---|---|
/// | `concurrent_runs` | 16 | runs wait; clients take turns |
/// | `waiting_runs` | 256 | the call fails with `Busy` |
/// | `waiting_time` | 2 min | the call fails with `Busy` |
/// | `sandboxes` | 32 | no other can be created |
/// | `sandbox_idle` | 15 min | a sandbox that nobody uses ends |
/// | `task_after` | 5 s | a call goes on as a task, if its client knows of tasks |
/// | `tasks` | 64 | the oldest result that was fetched goes; where there is none, calls last until their program ends |
/// | `output_files` | 20 | the call fails with `OutputLimit`; the first ones are attached |
/// | `output_file_bytes`, `output_total_bytes` | 5 MiB, 20 MiB | files beyond are listed, not attached |
/// | `text_characters` | 20,000 | the middle of a text is left out; the whole is a resource |
/// | `message_bytes` | 16 MiB | a longer message is refused unread |
/// | `budget` | none | calls and requests fail inside the program; with no time left, nothing is run any more |
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerLimits {
    /// Programs that run at the same time.
    pub concurrent_runs: usize,
    /// Programs that wait for their turn.
    pub waiting_runs: usize,
    /// How long a program waits for its sandbox and its turn. It is no part of the time that it may run.
    pub waiting_time: Duration,
    /// Sandboxes that live on.
    pub sandboxes: usize,
    /// How long one may live without being used.
    pub sandbox_idle: Duration,
    /// How long the call of a program lasts until it is answered with a task, that the client comes back for. Clients that do
    /// not declare the extension `io.modelcontextprotocol/tasks` wait for the end of the program.
    pub task_after: Duration,
    /// Programs that go on as tasks, and results of such, together. With 0 the extension is not offered.
    pub tasks: usize,
    /// Files that a result brings along.
    pub output_files: usize,
    /// Bytes of one of them.
    pub output_file_bytes: u64,
    /// Bytes of all of them.
    pub output_total_bytes: u64,
    /// Characters of the value, of standard output, of standard error and of what went wrong in a result, each; also of a
    /// file that is read and of a list of files.
    pub text_characters: usize,
    /// Bytes of one message from a client.
    pub message_bytes: usize,
    /// What programs may use together, however many they are: those in one sandbox that lives on, and all others in the whole
    /// server.
    pub budget: BudgetLimits,
}

/// The parts of a budget. Each has no limit unless one is set; the limits of each run hold besides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BudgetLimits {
    /// Calls of tools.
    pub tool_calls: Option<u64>,
    /// HTTP requests, redirects included.
    pub http_requests: Option<u64>,
    /// Wall time of runs.
    pub time: Option<Duration>,
}

impl BudgetLimits {
    /// A budget of which nothing is used yet, if anything is limited.
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
            task_after: Duration::from_secs(5),
            tasks: 64,
            output_files: 20,
            output_file_bytes: 5 * MIB,
            output_total_bytes: 20 * MIB,
            text_characters: 20_000,
            message_bytes: 16 << 20,
            budget: BudgetLimits::default(),
        }
    }
}
