//! Methods for control and records: approval, checks, budgets, audit, metrics, redaction, determinism and recordings.

use std::{path::Path, sync::Arc};

use super::SandboxBuilder;
use crate::{
    approver::Approver, audit::Audit, audit::RecordedArguments, metrics::Metrics, recording::Recording,
    system::Determinism,
};
use isolette_policy::{Approval, Budget, CallCheck, CallDecision, CallRequest, Decision, Redaction};

impl SandboxBuilder {
    /// Sets which programs and calls need approval.
    pub fn approval(mut self, approval: Approval) -> Self {
        self.policy.approval = approval;
        self
    }

    /// Sets a check that is made before every call that the policy allows: calls of tools and of custom interfaces,
    /// HTTP requests with each of their redirects, and calls for files on mounts. The check gets capability, operation,
    /// target, arguments and rule, and allows the call, denies it with a message, or requires approval. It cannot waive
    /// an approval that is needed anyway.
    ///
    /// It is called on the thread of the guest, once for each call, and must return quickly. Slow decisions belong in
    /// [`SandboxBuilder::approver`], which is awaited. A check that panics denies the call.
    ///
    /// ```
    /// use isolette::{CapabilityKind, Sandbox, policy::{CallDecision, Decision}};
    ///
    /// let builder = Sandbox::builder()
    ///     .on_call(|call| match (call.capability, call.operation.as_str()) {
    ///         (CapabilityKind::Files, "remove") => CallDecision::deny("nothing is removed here"),
    ///         (CapabilityKind::Http, "POST") => CallDecision::ask("it writes"),
    ///         _ => CallDecision::Allow,
    ///     })
    ///     .approver(async |call| Decision::deny(format!("{} needs a review", call.target)));
    /// ```
    pub fn on_call(mut self, check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        self.oversight.checks = vec![CallCheck::new(check)];
        self
    }

    /// Sets the approver, unless a run has an approver of its own.
    ///
    /// Its future is awaited on this crate's threads, in a Tokio runtime, and dropped when the run ends.
    pub fn approver<Response>(mut self, approver: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        self.oversight.approver = Some(Approver::new(approver));
        self
    }

    /// Adds a budget that all runs share. With several budgets, all of them apply.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.oversight.budgets.push(budget);
        self
    }

    /// Records every host call to a tool, server, interface or file in an [`Audit`], outside of the program's reach. A
    /// run whose calls cannot be recorded fails with [`Error::Audit`](crate::Error::Audit).
    pub fn audit(mut self, audit: &Audit) -> Self {
        self.oversight.audit = Some(audit.clone());
        self
    }

    /// Counts runs, calls and guests in these metrics.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.oversight.metrics = Some(metrics.clone());
        self
    }

    /// Sets how much of the arguments of calls is recorded, in the result and in the audit alike.
    pub fn record_arguments(mut self, recorded: RecordedArguments) -> Self {
        self.oversight.recorded_arguments = Some(recorded);
        self
    }

    /// Adds secrets that are removed from all records of calls. They are not removed from what programs get.
    pub fn redact(mut self, secrets: &Redaction) -> Self {
        Arc::make_mut(&mut self.oversight.redaction).add_all(secrets);
        self
    }

    /// Makes clocks and random numbers deterministic.
    pub fn deterministic(mut self, determinism: Determinism) -> Self {
        self.programs.determinism = Some(determinism);
        self
    }

    /// Records all HTTP exchanges and tool calls in a directory, for [`SandboxBuilder::replay`]. The directory must be
    /// empty or not exist yet. Clocks and random numbers are deterministic, so that a program repeats its requests in a
    /// replay. The responses of servers are stored in full; of the request bodies of programs only a digest is stored. Of
    /// calls that a program makes at the same time, the order is stored in which the program got their results.
    ///
    /// Together with [`SandboxBuilder::http_transport`] it is an error: such exchanges cannot be recorded.
    pub fn record(mut self, directory: impl AsRef<Path>) -> Self {
        self.programs.recording = Some(Recording::Record(directory.as_ref().to_owned()));
        self
    }

    /// Answers HTTP requests and tool calls from a directory of [`SandboxBuilder::record`], each as often as it was
    /// recorded and in that order, without calling a server or a tool. Tools need not be registered: their descriptions
    /// are recorded as well. The policy applies nevertheless.
    ///
    /// A run of a recorded program with the same variables gets the results of calls that it makes at the same time in the
    /// recorded order, and its waits for a time take none. A program that waits differently gets them as they come.
    pub fn replay(mut self, directory: impl AsRef<Path>) -> Self {
        self.programs.recording = Some(Recording::Replay(directory.as_ref().to_owned()));
        self
    }
}
