//! On what terms programs run: who is asked, what is kept of it, and what is the same each time.

use std::{path::Path, sync::Arc};

use super::SandboxBuilder;
use crate::{
    approver::Approver, audit::Audit, audit::RecordedArguments, metrics::Metrics, recording::Recording,
    system::Determinism,
};
use isolette_policy::{Approval, Budget, CallCheck, CallDecision, CallRequest, Decision, Redaction};

impl SandboxBuilder {
    /// Says what somebody has to agree to before it happens.
    pub fn approval(mut self, approval: Approval) -> Self {
        self.policy.approval = approval;
        self
    }

    /// Has every call checked that the policy allows, before it is made: of tools, of custom interfaces, HTTP requests with
    /// each of their redirects, and files on mounts. The check sees capability, operation, target, arguments and rule, and
    /// allows, denies with a message, or has the approver asked; what approval needs anyway it cannot waive.
    ///
    /// It is called on the thread of the guest, once for each call: decide and return. What takes time belongs into
    /// [`SandboxBuilder::approver`], which is awaited. A check that panics denies.
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

    /// Sets who is asked for approval, unless a run has somebody of its own.
    ///
    /// It is awaited on threads of this crate's own, in a Tokio runtime, and dropped where it stands when the run ends.
    pub fn approver<Response>(mut self, approver: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        self.oversight.approver = Some(Approver::new(approver));
        self
    }

    /// Sets what all runs may use together. With several, all of them hold.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.oversight.budgets.push(budget);
        self
    }

    /// Has every host call that reaches something put on record, outside of the program's reach: [`Audit`]. A run whose
    /// calls cannot be put on record fails with [`Error::Audit`].
    pub fn audit(mut self, audit: &Audit) -> Self {
        self.oversight.audit = Some(audit.clone());
        self
    }

    /// Counts runs, calls and instances.
    pub fn metrics(mut self, metrics: &Metrics) -> Self {
        self.oversight.metrics = Some(metrics.clone());
        self
    }

    /// Says how much of the arguments of calls is put on record, in the outcome and in the audit alike.
    pub fn record_arguments(mut self, recorded: RecordedArguments) -> Self {
        self.oversight.recorded_arguments = Some(recorded);
        self
    }

    /// Adds secrets that no record of a call shows, whatever it is made of. They are looked for in what is put on record, not
    /// in what programs get.
    pub fn redact(mut self, secrets: &Redaction) -> Self {
        Arc::make_mut(&mut self.oversight.redaction).add_all(secrets);
        self
    }

    /// Makes time and chance the same each time.
    pub fn deterministic(mut self, determinism: Determinism) -> Self {
        self.environment.determinism = Some(determinism);
        self
    }

    /// Keeps all HTTP exchanges and calls of tools in a directory, which must be empty or not there yet, for
    /// [`SandboxBuilder::replay`]. Time and chance are the same each time, so that a program asks the same again. What
    /// servers return is kept as it is, and what a program sends as its digest.
    ///
    /// With a transport of your own, [`SandboxBuilder::http_transport`], there is nothing to record, and it is an error.
    pub fn record(mut self, directory: impl AsRef<Path>) -> Self {
        self.environment.recording = Some(Recording::Record(directory.as_ref().to_owned()));
        self
    }

    /// Answers requests and calls of tools from a directory of [`SandboxBuilder::record`], each as often as it was
    /// recorded and in that order, and asks no server and no tool. Tools need not be lent: what programs find out about
    /// them is recorded as well. The policy holds all the same.
    pub fn replay(mut self, directory: impl AsRef<Path>) -> Self {
        self.environment.recording = Some(Recording::Replay(directory.as_ref().to_owned()));
        self
    }
}
