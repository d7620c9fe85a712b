//! The record of a call, from its beginning to its end, in the result, the audit, the metrics and the traces.

use std::time::{Duration, Instant};

use isolette_deadline::Stop;
use isolette_policy::Limits;
use isolette_types::{
    ApprovalOutcome, ArgumentsDigest, CallOutcome, CallRecord, CapabilityKind, HopOutcome, HopRecord, LimitHit,
    LimitName,
};
use serde_json::{Value, json};
use sha2::Sha256;
use tracing::{Span, field::Empty};

use super::{
    Record,
    open_call::{CallNumber, OpenCall},
};
use crate::audit::{RecordedArguments, SHOWN_LIMIT};

/// Maximum length, in characters, of a guest's text in a record.
pub(super) const SHOWN_CHARACTERS: usize = 256;

impl Record {
    /// Records the beginning of a call, and returns its number in the run. From here on the call is recorded, however it
    /// ends.
    pub(super) fn begin_call(
        &mut self,
        limits: &Limits,
        capability: CapabilityKind,
        operation: &str,
        target: &str,
        bytes_out: usize,
    ) -> CallNumber {
        let call = self.next_number();
        let listed = capability != CapabilityKind::Files && self.listed < limits.calls_recorded;
        self.listed += u64::from(listed);
        if !listed && capability != CapabilityKind::Files {
            self.truncated.calls += 1;
            let used = limits.calls_recorded.saturating_add(self.truncated.calls);
            self.reached(LimitHit::new(LimitName::CallsRecorded, limits.calls_recorded, used));
        }
        let number = self.recording.audit.as_mut().and_then(|audit| audit.number(capability == CapabilityKind::Files));
        let span = self.span_of(capability, operation, target, bytes_out);
        if !listed && !self.recording.is_heard() && span.is_disabled() {
            return call;
        }
        let began = Instant::now();
        let since = began.saturating_duration_since(self.recording.began.0);
        let time = self.recording.began.1.checked_add(since).unwrap_or(self.recording.began.1);
        let (operation, target) = (self.shown(operation), self.shown(target));
        let mut record =
            CallRecord::begun(time, milliseconds(self.recording.earlier + since), capability, operation, target);
        record.bytes_out = bytes_out as u64;
        let open_call = OpenCall { record, began, listed, number, hops: Vec::new(), span };
        self.open_calls.insert(call, Box::new(open_call));
        call
    }

    /// The number of a call that is not recorded.
    pub(super) fn next_number(&mut self) -> CallNumber {
        self.begun.0 += 1;
        self.begun
    }

    /// The span of a call. Calls for files have none: there are too many of them.
    pub(super) fn span_of(&self, capability: CapabilityKind, operation: &str, target: &str, bytes_out: usize) -> Span {
        if capability == CapabilityKind::Files {
            return Span::none();
        }
        tracing::info_span!(
            parent: &self.recording.span,
            "call",
            "otel.name" = self.shown(&format!("{capability} {operation}")),
            "otel.status_code" = Empty,
            capability = capability.as_str(),
            operation = self.shown(operation),
            "call.target" = self.shown(target),
            bytes_out,
            bytes_in = Empty,
            outcome = Empty,
            rule = Empty,
        )
    }

    /// A text as it is recorded. Secrets are removed before it is cut, so that no part of a secret remains at the cut.
    fn shown(&self, text: &str) -> String {
        match &self.recording.redaction {
            redaction if redaction.is_empty() => clip(text),
            redaction => clip(&redaction.text(text)),
        }
    }

    /// The span of a pending call, for the work that is done for it.
    pub(super) fn span(&self, call: CallNumber) -> Span {
        self.open_calls.get(&call).map_or_else(Span::none, |open_call| open_call.span.clone())
    }

    fn open(&mut self, call: CallNumber) -> Option<&mut CallRecord> {
        self.open_calls.get_mut(&call).map(|open_call| &mut open_call.record)
    }

    /// Records the line of the program that makes a call; 0 if it is not known.
    pub(super) fn line(&mut self, call: CallNumber, line: u32) {
        if let Some(record) = self.open(call) {
            record.line = (line > 0).then_some(line);
        }
    }

    /// Records the digest of the arguments of a pending call. `feed` runs only if digests are recorded.
    pub(super) fn digest(&mut self, call: CallNumber, feed: impl FnOnce(&mut Sha256)) {
        if self.recording.arguments != RecordedArguments::Nothing
            && let Some(record) = self.open(call)
        {
            record.arguments_sha256 = Some(ArgumentsDigest::of(feed));
        }
    }

    /// Records the arguments of a pending call; of arguments that are too long, only the length.
    pub(super) fn arguments(&mut self, call: CallNumber, length: usize, arguments: impl FnOnce() -> Value) {
        if self.recording.arguments == RecordedArguments::Whole && self.open_calls.contains_key(&call) {
            let shown = if length > SHOWN_LIMIT { json!({ "arguments_bytes": length }) } else { arguments() };
            let shown = self.recording.redaction.value(shown);
            if let Some(record) = self.open(call) {
                record.arguments = Some(shown);
            }
        }
    }

    /// Records the rule that decided about a pending call. The last one replaces earlier ones.
    pub(super) fn rule(&mut self, call: CallNumber, rule: impl ToString) {
        if let Some(record) = self.open(call) {
            record.rule = Some(rule.to_string());
        }
    }

    /// Records a request of a pending call: the first one, or one after a redirect. `None` means that no rule allows it.
    pub(super) fn begin_hop(&mut self, call: CallNumber, method: &str, target: &str, rule: Option<String>) {
        let (operation, target) = (self.shown(method), self.shown(target));
        if let Some(open_call) = self.open_calls.get_mut(&call) {
            open_call.record.rule.clone_from(&rule);
            open_call.hop(HopOutcome::Redirected, HopRecord::begun(operation, target, rule));
        }
    }

    /// Forgets the requests of a pending call, none of which was sent.
    pub(super) fn forget_hops(&mut self, call: CallNumber) {
        if let Some(open_call) = self.open_calls.get_mut(&call) {
            open_call.hops.clear();
        }
    }

    /// Records that the last request of a pending call is sent again.
    pub(super) fn repeat_hop(&mut self, call: CallNumber) {
        if let Some(open_call) = self.open_calls.get_mut(&call)
            && let Some(hop) = open_call.hops.last().cloned()
        {
            open_call.hop(HopOutcome::Repeated, hop);
        }
    }

    /// Records the outcome of an approval for a pending call. The last one replaces earlier ones.
    pub(super) fn approval(&mut self, call: CallNumber, outcome: ApprovalOutcome) {
        if let Some(record) = self.open(call) {
            record.approval = Some(outcome);
        }
    }

    /// Records how the result of a pending call violates its schema.
    pub(super) fn mismatch(&mut self, call: CallNumber, mismatch: &str) {
        let mismatch = self.shown(mismatch);
        if let Some(record) = self.open(call) {
            record.mismatch = Some(mismatch);
        }
    }

    /// Records the function signature of a pending call.
    pub(super) fn signature(&mut self, call: CallNumber, signature: &str) {
        if let Some(record) = self.open(call) {
            record.signature = Some(signature.to_owned());
        }
    }

    /// Records a note of the capability about a call, if the call is still pending.
    pub(crate) fn note(&mut self, call: CallNumber, note: &str) {
        let note = self.shown(note);
        if let Some(record) = self.open(call) {
            record.note = Some(note);
        }
    }

    /// Records the end of a pending call.
    pub(super) fn end_call(&mut self, call: CallNumber, outcome: CallOutcome, bytes_in: u64) {
        let Some(open_call) = self.open_calls.remove(&call) else { return };
        let OpenCall { record: mut call, began, listed, number, mut hops, span } = *open_call;
        call.outcome = outcome;
        call.bytes_in = bytes_in;
        let time = began.elapsed();
        call.duration_ms = milliseconds(time);
        if let Some(metrics) = &self.recording.metrics {
            metrics.call(call.capability, outcome, time);
        }
        if !span.is_disabled() {
            span.record("outcome", outcome.as_str()).record("bytes_in", bytes_in);
            if let Some(rule) = &call.rule {
                span.record("rule", rule);
            }
            span.record("otel.status_code", if outcome == CallOutcome::Ok { "OK" } else { "ERROR" });
        }
        if let [_, .., last] = hops.as_mut_slice() {
            last.outcome = HopOutcome::Call(outcome);
            call.hops = hops;
        }
        if let (true, Some(callback)) = (listed, &self.recording.on_end) {
            (callback.0)(&call);
        }
        match (&mut self.recording.audit, number, listed) {
            (Some(audit), Some(number), true) => {
                audit.call(number, call.clone());
                self.calls.push(call);
            }
            (Some(audit), Some(number), false) => audit.call(number, call),
            (Some(audit), None, false) => audit.count(call),
            (_, _, true) => self.calls.push(call),
            _ => {}
        }
    }

    /// Records the end of all pending calls, in the order in which they began.
    pub(crate) fn end_calls(&mut self, outcome: CallOutcome) {
        while let Some(call) = self.open_calls.keys().next().copied() {
            self.end_call(call, outcome, 0);
        }
    }

    /// Records that the host ended the run, and with it the pending calls.
    pub(crate) fn cut_off(&mut self, stop: Stop) {
        self.end_calls(match stop {
            Stop::Deadline => CallOutcome::Deadline,
            Stop::Cancelled => CallOutcome::Cancelled,
            // A run that can pause goes on after it, and others are not paused.
            Stop::Malformed | Stop::Paused => CallOutcome::Malformed,
            Stop::Gone => CallOutcome::Unfinished,
            Stop::CpuTime | Stop::Sleep | Stop::HostCalls | Stop::AuditBytes => CallOutcome::Limit,
            Stop::Unrecorded => CallOutcome::Unrecorded,
        });
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// Cuts a text of the guest to the recorded length.
fn clip(text: &str) -> String {
    // A text has at most as many characters as bytes.
    if text.len() <= SHOWN_CHARACTERS { text.to_owned() } else { text.chars().take(SHOWN_CHARACTERS).collect() }
}
