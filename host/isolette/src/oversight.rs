//! The embedder's decisions about the calls of a sandbox, and the records that are kept of them.

use std::sync::Arc;

use isolette_policy::{Budget, CallCheck, Redaction};

use crate::{
    Metrics,
    approver::Approver,
    audit::{Audit, RecordedArguments},
    recording::RunRecording,
};

/// The checks, approver, budgets and records of a sandbox, or, combined with the options of a run, of that run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oversight {
    /// Every check is applied to every call.
    pub(crate) checks: Vec<CallCheck>,
    pub(crate) approver: Option<Approver>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) audit: Option<Audit>,
    pub(crate) metrics: Option<Metrics>,
    /// `None` means the default, which depends on whether there is an audit.
    pub(crate) recorded_arguments: Option<RecordedArguments>,
    /// Secrets that are removed from all records.
    pub(crate) redaction: Arc<Redaction>,
    /// The run in a recording. Set for a run only.
    pub(crate) recording: Option<Arc<RunRecording>>,
}

impl Oversight {
    /// How much of the arguments of calls is recorded.
    pub(crate) fn recorded_arguments(&self) -> RecordedArguments {
        self.recorded_arguments.unwrap_or(match self.audit {
            Some(_) => RecordedArguments::Digest,
            None => RecordedArguments::Nothing,
        })
    }
}
