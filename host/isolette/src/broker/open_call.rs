//! How calls are put on record, and the call that has begun and not ended.

use std::{
    sync::Arc,
    time::{Instant, SystemTime},
};

use isolette_policy::Redaction;
use isolette_types::{CallRecord, HopOutcome, HopRecord, RunId};
use tracing::Span;

use crate::{
    audit::{RecordedArguments, RunAudit},
    metrics::Metrics,
};

/// Requests that are listed of one call. Whoever follows more redirects goes round in circles.
const HOPS_LISTED: usize = 64;

/// How calls are put on record.
#[derive(Debug)]
pub(crate) struct CallRecording {
    pub(crate) arguments: RecordedArguments,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) audit: Option<RunAudit>,
    pub(crate) metrics: Option<Metrics>,
    /// That of the run, of which those of its calls are part.
    pub(crate) span: Span,
    /// When the run began, by the clock that never jumps and by the one on the wall.
    pub(crate) began: (Instant, SystemTime),
    /// The run that they are of.
    pub(crate) run: RunId,
}

impl CallRecording {
    /// There is no room on record for another call, but for those that are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.audit.as_ref().is_some_and(|audit| audit.is_full().is_some())
    }

    /// Somebody hears of calls that the outcome does not list.
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
            span: Span::none(),
            began: (Instant::now(), SystemTime::now()),
            run: RunId::random(),
        }
    }
}

/// A call that has begun and not ended.
#[derive(Debug)]
pub(super) struct OpenCall {
    pub(super) call: CallRecord,
    pub(super) began: Instant,
    /// It will be in the outcome.
    pub(super) listed: bool,
    /// Its number in the audit, if there is one and it has an entry there.
    pub(super) number: Option<u64>,
    /// Requests that were made for it, of which there may be several.
    pub(super) hops: Vec<HopRecord>,
    pub(super) span: Span,
}

impl OpenCall {
    /// One more request, after something became of the one before.
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
