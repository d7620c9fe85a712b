//! The settings for records of calls, and the calls that are pending.

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use isolette_policy::Redaction;
use isolette_types::{CallRecord, HopOutcome, HopRecord, RunId};
use tracing::Span;

use crate::{
    audit::{RecordedArguments, RunAudit},
    metrics::Metrics,
    options::CallEndCallback,
};

/// Maximum number of requests that are listed for one call. Longer chains of redirects are usually cycles.
const HOPS_LISTED: usize = 64;

/// How the calls of a run are recorded, and where.
#[derive(Debug)]
pub(crate) struct CallRecording {
    pub(crate) arguments: RecordedArguments,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) audit: Option<RunAudit>,
    pub(crate) metrics: Option<Metrics>,
    /// Told of each call that the result lists.
    pub(crate) on_end: Option<CallEndCallback>,
    /// The span of the run, the parent of the spans of its calls.
    pub(crate) span: Span,
    /// Time at which the run began in this process, by the monotonic clock and by the system clock.
    pub(crate) began: (Instant, SystemTime),
    /// The wall time that the run took in other processes before.
    pub(crate) earlier: Duration,
    /// The run that the calls belong to.
    pub(crate) run: RunId,
}

impl CallRecording {
    /// Whether the audit limit is reached, so that only calls for files can be recorded, as counts.
    pub(super) fn is_full(&self) -> bool {
        self.audit.as_ref().is_some_and(|audit| audit.is_full().is_some())
    }

    /// Whether calls that the result does not list are recorded in an audit or in metrics.
    pub(super) fn is_heard(&self) -> bool {
        self.audit.is_some() || self.metrics.is_some()
    }
}

impl Default for CallRecording {
    fn default() -> Self {
        Self {
            arguments: RecordedArguments::Nothing,
            redaction: Arc::default(),
            audit: None,
            metrics: None,
            on_end: None,
            span: Span::none(),
            began: (Instant::now(), SystemTime::now()),
            earlier: Duration::ZERO,
            run: RunId::random(),
        }
    }
}

/// The number of a call in its run, from 1, in the order in which the program made them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CallNumber(pub(crate) u64);

/// A call that has begun and not ended.
#[derive(Debug)]
pub(super) struct OpenCall {
    pub(super) record: CallRecord,
    pub(super) began: Instant,
    /// Whether the result will list it.
    pub(super) listed: bool,
    /// Its number in the audit, if there is an audit and the call has an entry of its own.
    pub(super) number: Option<u64>,
    /// The requests that were made for it.
    pub(super) hops: Vec<HopRecord>,
    pub(super) span: Span,
}

impl OpenCall {
    /// Adds a request, and sets the outcome of the previous one.
    pub(super) fn hop(&mut self, outcome: HopOutcome, next: HopRecord) {
        if let Some(before) = self.hops.last_mut() {
            before.outcome = outcome;
        }
        if self.hops.len() == HOPS_LISTED {
            self.hops.pop();
        }
        self.hops.push(next);
    }
}
