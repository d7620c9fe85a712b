//! What may differ from run to run.

use std::{fmt, time::Duration};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::approver::Approver;
use isolette_deadline::Held;
use isolette_policy::{Budget, CallCheck, CallDecision, CallRequest, Decision};

/// Gets what a program writes, while it runs.
pub(crate) type OutputCallback = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// One of the two streams of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Options of one run.
///
/// | option | default |
/// |---|---|
/// | `timeout` | the sandbox's `limits.wall_time` |
/// | `cancel` | nobody cancels |
/// | `variables` | those of the sandbox |
/// | `on_output` | output is only collected |
/// | `filename` | `main.py`, `main.js` |
/// | `on_call` | the sandbox's check alone |
/// | `approver` | whom the sandbox asks |
/// | `budget` | those of the sandbox |
/// | `label` | none |
/// | `hold` | nothing |
#[derive(Default)]
pub struct RunOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) variables: Vec<(String, Value)>,
    pub(crate) on_output: Option<OutputCallback>,
    pub(crate) filename: Option<String>,
    pub(crate) on_call: Option<CallCheck>,
    pub(crate) approver: Option<Approver>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) held: Held,
}

impl fmt::Debug for RunOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunOptions").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl RunOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Wall time for this run, guest and host calls together.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Ends the run with [`Error::Cancelled`](crate::Error::Cancelled) when the token is cancelled, from any thread.
    #[must_use]
    pub fn cancel(mut self, token: CancellationToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Sets a global before the program starts, over one of the sandbox's of the same name. The name is checked when
    /// the run starts: letters, digits and `_`, not beginning with a digit.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Called with what the program writes, as it writes it, on the thread of the guest: take it and return. Only what
    /// is within the limits arrives here.
    #[must_use]
    pub fn on_output(mut self, callback: impl FnMut(Stream, &[u8]) + Send + 'static) -> Self {
        self.on_output = Some(Box::new(callback));
        self
    }

    /// Has every call of this run checked, after the sandbox's own check:
    /// [`SandboxBuilder::on_call`](crate::builder::SandboxBuilder::on_call).
    #[must_use]
    pub fn on_call(mut self, check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        self.on_call = Some(CallCheck::new(check));
        self
    }

    /// Sets who is asked for approval during this run, in place of whom the sandbox asks:
    /// [`SandboxBuilder::approver`](crate::builder::SandboxBuilder::approver).
    #[must_use]
    pub fn approver<Response>(mut self, approver: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        self.approver = Some(Approver::new(approver));
        self
    }

    /// Sets what this run may use together with others, besides the sandbox's own budgets.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budgets.push(budget);
        self
    }

    /// Says in audits and traces what the run belongs to: a tenant, a client, a conversation. Not for secrets. A later one of
    /// the same name wins.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        self.labels.retain(|(other, _)| *other != name);
        self.labels.push((name, value.into()));
        self
    }

    /// Keeps something until nothing in this process works for the run any more, such as the place that it has among others.
    /// That may be later than its outcome: a run whose tool blocks ends in time, and the thread of the tool does not.
    #[must_use]
    pub fn hold(mut self, held: impl Send + Sync + 'static) -> Self {
        self.held.keep(held);
        self
    }

    /// How tracebacks call the program.
    #[must_use]
    pub fn filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = Some(filename.into());
        self
    }
}
