//! What is put on record of a call: from its beginning, however it may end, in the outcome and in the audit.

use std::{
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use serde_json::{Value, json};
use sha2::Sha256;
use tracing::{Span, field::Empty};

use super::{Record, Stop};
use crate::{
    Identifier, Metrics, Redaction,
    audit::{ArgumentsDigest, RecordedArguments, RunAudit, SHOWN_LIMIT},
    outcome::{CallRecord, HopRecord},
    policy::{Breach, LimitName, Limits},
};

/// Calls for files go to the audit alone.
pub(super) const FILES: &str = "files";

/// Requests that are listed of one call. Whoever follows more redirects goes round in circles.
const HOPS_LISTED: usize = 64;

/// As much of a text of a guest's is put on record.
pub(super) const SHOWN_CHARACTERS: usize = 256;

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
    pub(crate) run: Identifier,
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
            run: Identifier::random(),
        }
    }
}

/// A call that has begun and not ended.
#[derive(Debug)]
pub(super) struct UnderWay {
    call: CallRecord,
    began: Instant,
    /// It will be in the outcome.
    listed: bool,
    /// Its number in the audit, if there is one and it has an entry there.
    number: Option<u64>,
    /// Requests that were made for it, of which there may be several.
    hops: Vec<HopRecord>,
    span: Span,
}

impl Record {
    /// A call begins. It is on record from now on, however it may end.
    pub(super) fn begin_call(
        &mut self,
        limits: &Limits,
        capability: &'static str,
        operation: &str,
        target: &str,
        bytes_out: usize,
    ) {
        self.begun += 1;
        let listed = capability != FILES && (self.calls.len() as u64) < limits.calls_recorded;
        if !listed && capability != FILES {
            self.truncated.calls += 1;
            let used = limits.calls_recorded.saturating_add(self.truncated.calls);
            self.reached(Breach::new(LimitName::CallsRecorded, limits.calls_recorded, used));
        }
        let number = self.recording.audit.as_mut().and_then(|audit| audit.number(capability == FILES));
        let span = self.span_of(capability, operation, target, bytes_out);
        if !listed && !self.recording.is_heard() && span.is_disabled() {
            self.under_way = None;
            return;
        }
        let began = Instant::now();
        let since = began.saturating_duration_since(self.recording.began.0);
        let call = CallRecord {
            time: self.recording.began.1.checked_add(since).unwrap_or(self.recording.began.1),
            started_ms: milliseconds(since),
            capability,
            operation: self.shown(operation),
            target: self.shown(target),
            verdict: "unfinished",
            rule: None,
            hops: Vec::new(),
            arguments_sha256: None,
            arguments: None,
            approval: None,
            mismatch: None,
            signature: None,
            note: None,
            bytes_out: bytes_out as u64,
            bytes_in: 0,
            duration_ms: 0.0,
        };
        self.under_way = Some(UnderWay { call, began, listed, number, hops: Vec::new(), span });
    }

    /// Calls for files have none: there are too many of them.
    fn span_of(&self, capability: &'static str, operation: &str, target: &str, bytes_out: usize) -> Span {
        if capability == FILES {
            return Span::none();
        }
        tracing::info_span!(
            parent: &self.recording.span,
            "call",
            "otel.name" = self.shown(&format!("{capability} {operation}")),
            "otel.status_code" = Empty,
            capability,
            operation = self.shown(operation),
            "call.target" = self.shown(target),
            bytes_out,
            bytes_in = Empty,
            verdict = Empty,
            rule = Empty,
        )
    }

    /// A text as it is put on record. What is cut off must not be the end of a secret.
    fn shown(&self, text: &str) -> String {
        match &self.recording.redaction {
            redaction if redaction.is_empty() => clip(text),
            redaction => clip(&redaction.text(text)),
        }
    }

    /// The span of the call under way, for what is done for it.
    pub(super) fn span(&self) -> Span {
        self.under_way.as_ref().map_or_else(Span::none, |under_way| under_way.span.clone())
    }

    fn call(&mut self) -> Option<&mut CallRecord> {
        self.under_way.as_mut().map(|under_way| &mut under_way.call)
    }

    /// Whether the call under way is put on record with its arguments, and not only their digest.
    pub(super) fn wants_arguments(&self) -> bool {
        self.under_way.is_some() && self.recording.arguments == RecordedArguments::Whole
    }

    /// What the digest of the arguments of the call under way is made of. Nothing is computed that nobody asked for.
    pub(super) fn digest(&mut self, feed: impl FnOnce(&mut Sha256)) {
        if self.recording.arguments != RecordedArguments::Nothing
            && let Some(call) = self.call()
        {
            call.arguments_sha256 = Some(ArgumentsDigest::of(feed));
        }
    }

    /// The arguments of the call under way. Of those that are too long only that is put on record.
    pub(super) fn arguments(&mut self, length: usize, arguments: impl FnOnce() -> Value) {
        if self.wants_arguments() {
            let shown = if length > SHOWN_LIMIT { json!({ "arguments_bytes": length }) } else { arguments() };
            let shown = self.recording.redaction.value(shown);
            if let Some(call) = self.call() {
                call.arguments = Some(shown);
            }
        }
    }

    /// The rule that decided about the call under way. Of several, the last one counts.
    pub(super) fn rule(&mut self, rule: impl ToString) {
        if let Some(call) = self.call() {
            call.rule = Some(rule.to_string());
        }
    }

    /// A request is made for the call under way: the first, or what a redirect led to. Without a rule it is one that none
    /// allows.
    pub(super) fn begin_hop(&mut self, method: &str, target: &str, rule: Option<String>) {
        let (operation, target) = (self.shown(method), self.shown(target));
        if let Some(under_way) = &mut self.under_way {
            under_way.call.rule.clone_from(&rule);
            under_way.hop("redirected", HopRecord { operation, target, rule, verdict: "unfinished" });
        }
    }

    /// The same request is made once more for the call under way.
    pub(super) fn repeat_hop(&mut self) {
        if let Some(under_way) = &mut self.under_way
            && let Some(hop) = under_way.hops.last().cloned()
        {
            under_way.hop("repeated", hop);
        }
    }

    /// The call under way needed approval, and this became of it. Of several, the last one counts.
    pub(super) fn approval(&mut self, became: &'static str) {
        if let Some(call) = self.call() {
            call.approval = Some(became);
        }
    }

    /// The result of the call under way is not what its schema says.
    pub(super) fn mismatch(&mut self, mismatch: &str) {
        let mismatch = self.shown(mismatch);
        if let Some(call) = self.call() {
            call.mismatch = Some(mismatch);
        }
    }

    /// The call under way is one of a function of these types.
    pub(super) fn signature(&mut self, signature: &str) {
        if let Some(call) = self.call() {
            call.signature = Some(signature.to_owned());
        }
    }

    /// Whoever serves a call has something to say, which is heard as long as it is the one under way.
    pub(crate) fn note(&mut self, call: u64, note: &str) {
        let note = self.shown(note);
        if self.begun == call
            && let Some(call) = self.call()
        {
            call.note = Some(note);
        }
    }

    /// The call under way has ended.
    pub(crate) fn end_call(&mut self, verdict: &'static str, bytes_in: u64) {
        let Some(UnderWay { mut call, began, listed, number, mut hops, span }) = self.under_way.take() else { return };
        call.verdict = verdict;
        call.bytes_in = bytes_in;
        let time = began.elapsed();
        call.duration_ms = milliseconds(time);
        if let Some(metrics) = &self.recording.metrics {
            metrics.call(call.capability, verdict, time);
        }
        if !span.is_disabled() {
            span.record("verdict", verdict).record("bytes_in", bytes_in);
            if let Some(rule) = &call.rule {
                span.record("rule", rule);
            }
            span.record("otel.status_code", if verdict == "ok" { "OK" } else { "ERROR" });
        }
        if let [_, .., last] = hops.as_mut_slice() {
            last.verdict = verdict;
            call.hops = hops;
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

    /// The run was ended; so was the call under way, if there is one.
    pub(crate) fn cut_off(&mut self, stop: Stop) {
        self.end_call(
            match stop {
                Stop::Deadline => "deadline",
                Stop::Cancelled => "cancelled",
                Stop::Malformed => "malformed",
                Stop::CpuTime | Stop::Sleep | Stop::HostCalls | Stop::AuditBytes => "limit",
                Stop::Unrecorded => "unrecorded",
            },
            0,
        );
    }
}

impl UnderWay {
    /// One more request, after something became of the one before.
    fn hop(&mut self, became: &'static str, next: HopRecord) {
        if let Some(before) = self.hops.last_mut() {
            before.verdict = became;
        }
        if self.hops.len() == HOPS_LISTED {
            self.hops.pop();
        }
        self.hops.push(next);
    }
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

/// What a guest made up is not kept whole.
fn clip(text: &str) -> String {
    // No text has more characters than bytes.
    if text.len() <= SHOWN_CHARACTERS { text.to_owned() } else { text.chars().take(SHOWN_CHARACTERS).collect() }
}
