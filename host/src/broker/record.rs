//! What a run has done so far. It is there from the first moment, so that a run that is ended loses nothing.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use isolette_abi::console::Stream;

use super::Stop;
use crate::{
    outcome::{CallRecord, Truncated, Usage},
    policy::{Breach, LimitName, Limits},
};

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) truncated: Truncated,
    pub(crate) usage: Usage,
    pub(crate) calls: Vec<CallRecord>,
    /// Each limit once, with the latest that was used.
    pub(crate) limits_reached: Vec<Breach>,
    /// All sleeps together.
    pub(crate) slept: Duration,
    /// Bytes of all bodies, both ways.
    pub(crate) http_bytes: u64,
    /// All requests together.
    pub(crate) http_time: Duration,
    /// When the call under way began, and whether it is the last of `calls` or one too many to be kept.
    under_way: Option<(Instant, bool)>,
    /// Calls of capabilities, by the place of the rule that allowed them.
    by_rule: HashMap<usize, u64>,
}

impl Record {
    /// Keeps what fits, counts what does not. Gives back the part that was kept.
    pub(super) fn write<'a>(&mut self, limits: &Limits, stream: Stream, bytes: &'a [u8]) -> &'a [u8] {
        let (kept, dropped, limit) = match stream {
            Stream::Stdout => (&mut self.stdout, &mut self.truncated.stdout, limits.stdout),
            Stream::Stderr => (&mut self.stderr, &mut self.truncated.stderr, limits.stderr),
        };
        let room = usize::try_from(limit).unwrap_or(usize::MAX).saturating_sub(kept.len());
        let (fits, rest) = bytes.split_at(room.min(bytes.len()));
        kept.extend_from_slice(fits);
        *dropped += rest.len() as u64;
        if !rest.is_empty() {
            let name = if stream == Stream::Stdout { LimitName::Stdout } else { LimitName::Stderr };
            let used = (kept.len() as u64).saturating_add(*dropped);
            self.reached(Breach::new(name, limit, used));
        }
        fits
    }

    /// A limit cut something off, or had something refused.
    pub(crate) fn reached(&mut self, breach: Breach) {
        match self.limits_reached.iter_mut().find(|known| known.name == breach.name) {
            Some(known) => known.used = known.used.max(breach.used),
            None => self.limits_reached.push(breach),
        }
    }

    /// A call begins. It is on record from now on, however it may end.
    pub(super) fn begin_call(
        &mut self,
        limits: &Limits,
        capability: &'static str,
        operation: &str,
        target: &str,
        bytes_out: usize,
    ) {
        let kept = (self.calls.len() as u64) < limits.calls_recorded;
        self.under_way = Some((Instant::now(), kept));
        if !kept {
            self.truncated.calls += 1;
            let used = limits.calls_recorded.saturating_add(self.truncated.calls);
            self.reached(Breach::new(LimitName::CallsRecorded, limits.calls_recorded, used));
            return;
        }
        self.calls.push(CallRecord {
            capability,
            operation: clip(operation),
            target: clip(target),
            verdict: "unfinished",
            rule: None,
            approval: None,
            mismatch: None,
            signature: None,
            note: None,
            bytes_out: bytes_out as u64,
            bytes_in: 0,
            duration_ms: 0.0,
        });
    }

    /// The call under way was allowed by a rule. Of several, the last one counts.
    pub(super) fn allow_call(&mut self, rule: impl ToString) {
        if let (Some((_, true)), Some(call)) = (self.under_way, self.calls.last_mut()) {
            call.rule = Some(rule.to_string());
        }
    }

    /// The call under way needed approval, and this became of it. Of several, the last one counts.
    pub(super) fn approval(&mut self, became: &'static str) {
        if let (Some((_, true)), Some(call)) = (self.under_way, self.calls.last_mut()) {
            call.approval = Some(became);
        }
    }

    /// The result of the call under way is not what its schema says.
    pub(super) fn mismatch(&mut self, mismatch: &str) {
        if let (Some((_, true)), Some(call)) = (self.under_way, self.calls.last_mut()) {
            call.mismatch = Some(clip(mismatch));
        }
    }

    /// The call under way is one of a function of these types.
    pub(super) fn signature(&mut self, signature: &str) {
        if let (Some((_, true)), Some(call)) = (self.under_way, self.calls.last_mut()) {
            call.signature = Some(signature.to_owned());
        }
    }

    /// Whoever serves the call under way has something to say.
    pub(crate) fn note(&mut self, note: &str) {
        if let (Some((_, true)), Some(call)) = (self.under_way, self.calls.last_mut()) {
            call.note = Some(clip(note));
        }
    }

    /// One more call that a rule of capabilities allows. Gives back how many there have been.
    pub(super) fn count_call(&mut self, rule: usize) -> u64 {
        let count = self.by_rule.entry(rule).or_default();
        *count += 1;
        *count
    }

    /// The call under way has ended.
    pub(super) fn end_call(&mut self, verdict: &'static str, bytes_in: u64) {
        if let (Some((began, true)), Some(call)) = (self.under_way.take(), self.calls.last_mut()) {
            call.verdict = verdict;
            call.bytes_in = bytes_in;
            call.duration_ms = began.elapsed().as_secs_f64() * 1e3;
        }
    }

    /// The run was ended; so was the call under way, if there is one.
    pub(crate) fn cut_off(&mut self, stop: Stop) {
        self.end_call(
            match stop {
                Stop::Deadline => "deadline",
                Stop::Cancelled => "cancelled",
                Stop::Malformed => "malformed",
                Stop::CpuTime | Stop::Sleep | Stop::HostCalls => "limit",
            },
            0,
        );
    }
}

/// What a guest made up is not kept whole.
fn clip(text: &str) -> String {
    text.chars().take(256).collect()
}
