//! The options of one run.

use std::{fmt, sync::Arc, time::Duration};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::approver::Approver;
use isolette_deadline::Held;
use isolette_policy::{Budget, CallCheck, CallDecision, CallRequest, Decision};
use isolette_types::CallRecord;
use isolette_work::Call;

/// The embedder's callback for output, called while the program runs.
pub(crate) type OutputCallback = Box<dyn FnMut(Stream, &[u8]) + Send>;

/// The embedder's callback for calls that have ended.
pub(crate) struct CallEndCallback(pub(crate) Box<dyn Fn(&CallRecord) + Send + Sync>);

impl fmt::Debug for CallEndCallback {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallEndCallback")
    }
}

/// One of the two output streams of a program.
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
/// | `timeout` | the sandbox's `limits.timeout` |
/// | `cancel` | no cancellation |
/// | `variables` | those of the sandbox |
/// | `on_output` | output is only collected |
/// | `filename` | `main.py`, `main.js` |
/// | `on_call` | only the sandbox's check |
/// | `on_call_end` | calls are only listed in the result |
/// | `approver` | the sandbox's approver |
/// | `budget` | those of the sandbox |
/// | `label` | none |
/// | `hold` | nothing |
/// | `rollback_on_error` | the session keeps what a failed program has changed |
#[derive(Default)]
pub struct RunOptions {
    pub(crate) timeout: Option<Duration>,
    pub(crate) cancel: Option<CancellationToken>,
    pub(crate) variables: Vec<(String, Value)>,
    pub(crate) on_output: Option<OutputCallback>,
    pub(crate) filename: Option<String>,
    pub(crate) on_call: Option<CallCheck>,
    pub(crate) on_call_end: Option<CallEndCallback>,
    pub(crate) approver: Option<Approver>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) labels: Vec<(String, String)>,
    pub(crate) held: Held,
    pub(crate) rollback_on_error: bool,
}

impl fmt::Debug for RunOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunOptions").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

impl RunOptions {
    /// Makes options with the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the timeout of this run: a limit on wall time that covers the guest and its host calls. With a budget, the shorter of
    /// the limit and the time that remains in the budget applies.
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

    /// Sets a global before the program starts, and replaces the sandbox's variable of the same name. The name may
    /// consist of letters, digits and `_`, and must not begin with a digit; it is checked when the run starts.
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// Calls `callback` with the output of the program while it runs, on the thread of the guest; it must return
    /// quickly. Output beyond the limits is not passed to it.
    #[must_use]
    pub fn on_output(mut self, callback: impl FnMut(Stream, &[u8]) + Send + 'static) -> Self {
        self.on_output = Some(Box::new(callback));
        self
    }

    /// Adds a check of every call of this run, made after the sandbox's own check:
    /// [`SandboxBuilder::on_call`](crate::builder::SandboxBuilder::on_call).
    #[must_use]
    pub fn on_call(mut self, check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        self.on_call = Some(CallCheck::new(check));
        self
    }

    /// Calls `callback` with the record of each call that the result is going to list, as soon as the call has ended, on the thread
    /// on which it ends; it must return quickly. A caller that shows a run while it lasts need not wait for its result.
    ///
    /// Calls for files are not listed, and neither are calls beyond `limits.calls_recorded`.
    #[must_use]
    pub fn on_call_end(mut self, callback: impl Fn(&CallRecord) + Send + Sync + 'static) -> Self {
        self.on_call_end = Some(CallEndCallback(Box::new(callback)));
        self
    }

    /// Sets the approver of this run, in place of the sandbox's approver:
    /// [`SandboxBuilder::approver`](crate::builder::SandboxBuilder::approver).
    #[must_use]
    pub fn approver<Response>(mut self, approver: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        self.approver = Some(Approver::new(approver));
        self
    }

    /// Adds a budget that this run shares with other runs, besides the sandbox's own budgets.
    #[must_use]
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budgets.push(budget);
        self
    }

    /// Adds a label to the audit records and traces of the run, such as its tenant, client or conversation. Labels are
    /// written as they are, so they must not be secrets. A later label of the same name replaces an earlier one.
    #[must_use]
    pub fn label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let name = name.into();
        self.labels.retain(|(other, _)| *other != name);
        self.labels.push((name, value.into()));
        self
    }

    /// Keeps a value until all work of the run in this process has ended, for example a semaphore permit. That may be
    /// later than the result: if a tool blocks, the run ends at its timeout, but the thread of the tool continues.
    ///
    /// Tools, checks and approvers can read it: [`held_by_run`].
    #[must_use]
    pub fn hold(mut self, held: impl Send + Sync + 'static) -> Self {
        self.held.keep(held);
        self
    }

    /// In a session: if the program ends with an exception, or the host ends it (a limit, a cancellation), the session
    /// returns to the state that it had before the program: its globals, modules and `/tmp`. It does not end then, and
    /// [`ExecutionResult::rolled_back`](crate::ExecutionResult::rolled_back) is set. Files on mounts, calls of tools and
    /// requests are not undone, and random numbers go on differently. Runs outside of sessions have no state to return to, and ignore this.
    ///
    /// The run fails with [`Error::Unavailable`](crate::Error::Unavailable) if the isolation does not save states (`wasm`).
    #[must_use]
    pub fn rollback_on_error(mut self) -> Self {
        self.rollback_on_error = true;
        self
    }

    /// Sets the name of the program in tracebacks.
    #[must_use]
    pub fn filename(mut self, filename: impl Into<String>) -> Self {
        self.filename = Some(filename.into());
        self
    }
}

/// Returns the value of a type that the options of the current run hold ([`RunOptions::hold`]), the last one if there are several.
/// A tool can find the tenant or the connection there for which it works.
///
/// It can be called in the functions of tools and of custom interfaces, in checks, and where an approver is called, also in the
/// futures that these return. Elsewhere there is no current run, and it returns `None`.
///
/// ```
/// use isolette::{Tool, held_by_run};
/// # use serde_json::json;
///
/// struct Tenant(String);
///
/// // Runs with `RunOptions::new().hold(Tenant(…))`.
/// let orders = Tool::from_schema("orders", "Lists orders", json!({ "type": "object" }), |_| {
///     let tenant = held_by_run::<Tenant>().ok_or("the run has no tenant")?;
///     Ok::<_, &str>(json!([format!("an order of {}", tenant.0)]))
/// })?;
/// # Ok::<(), isolette::Error>(())
/// ```
#[must_use]
pub fn held_by_run<T: Send + Sync + 'static>() -> Option<Arc<T>> {
    Call::current()?.held()
}
