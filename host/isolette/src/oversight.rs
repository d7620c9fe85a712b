//! Who decides about the calls of a sandbox, and what is kept of them.

use std::sync::Arc;

use isolette_policy::{Budget, CallCheck, Redaction};

use crate::{
    Metrics,
    approver::Approver,
    audit::{Audit, RecordedArguments},
};

/// What the embedder decides about calls and records of them: of a sandbox, or, with the options of a run, of that run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oversight {
    /// Each is made of every call.
    pub(crate) checks: Vec<CallCheck>,
    pub(crate) approver: Option<Approver>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) audit: Option<Audit>,
    pub(crate) metrics: Option<Metrics>,
    /// `None` for the default, which depends on whether there is an audit.
    pub(crate) recorded_arguments: Option<RecordedArguments>,
    /// What no record shows.
    pub(crate) redaction: Arc<Redaction>,
}

impl Oversight {
    /// How much of the arguments of calls is put on record.
    pub(crate) fn recorded_arguments(&self) -> RecordedArguments {
        self.recorded_arguments.unwrap_or(match self.audit {
            Some(_) => RecordedArguments::Digest,
            None => RecordedArguments::Nothing,
        })
    }
}
