//! The record of a run. It exists from the start, so that a run that the host ends keeps its partial result.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use isolette_abi::console::Stream;

use super::open_call::{CallNumber, CallRecording, OpenCall};
use isolette_policy::Limits;
use isolette_types::{CallRecord, LimitHit, LimitName, Truncated, Usage};

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) truncated: Truncated,
    pub(crate) usage: Usage,
    pub(crate) calls: Vec<CallRecord>,
    /// Each limit that was hit, once, with the highest use.
    pub(crate) limits_reached: Vec<LimitHit>,
    /// Total time of all sleeps.
    pub(crate) slept: Duration,
    /// Total size of all bodies in bytes, sent and received.
    pub(crate) http_bytes: u64,
    /// Total time of all requests, without the pending ones.
    pub(crate) http_time: Duration,
    /// What else is recorded of calls, and where.
    pub(crate) recording: CallRecording,
    /// The number of the call that began last. Calls are numbered even if they are not recorded.
    pub(super) begun: CallNumber,
    /// The pending calls that are recorded.
    pub(super) open_calls: BTreeMap<CallNumber, Box<OpenCall>>,
    /// The number of calls that the result lists, pending ones included.
    pub(super) listed: u64,
    /// Number of capability calls, by the index of the rule that allowed them.
    pub(super) by_rule: HashMap<usize, u64>,
}

impl Record {
    pub(crate) fn new(recording: CallRecording) -> Self {
        Self { recording, ..Self::default() }
    }

    /// Keeps the output that fits and counts the rest. Returns the part that was kept.
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
            self.reached(LimitHit::new(name, limit, used));
        }
        fits
    }

    /// Records that a limit was hit: output was cut or a call was refused.
    pub(crate) fn reached(&mut self, limit_hit: LimitHit) {
        match self.limits_reached.iter_mut().find(|known| known.name == limit_hit.name) {
            Some(known) => known.used = known.used.max(limit_hit.used),
            None => self.limits_reached.push(limit_hit),
        }
    }

    /// Forgets the calls that have not ended: they end in another process.
    pub(crate) fn forget_open_calls(&mut self) {
        self.open_calls.clear();
    }

    /// Counts a call that a rule of capabilities allows. Returns the number of such calls so far.
    pub(super) fn count_call(&mut self, rule: usize) -> u64 {
        let count = self.by_rule.entry(rule).or_default();
        *count += 1;
        *count
    }
}
