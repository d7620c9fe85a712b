//! What a run has done so far. It is there from the first moment, so that a run that is ended loses nothing.

use std::{collections::HashMap, time::Duration};

use isolette_abi::console::Stream;

use super::open_call::{CallRecording, OpenCall};
use isolette_policy::Limits;
use isolette_types::{CallRecord, LimitHit, LimitName, Truncated, Usage};

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) truncated: Truncated,
    pub(crate) usage: Usage,
    pub(crate) calls: Vec<CallRecord>,
    /// Each limit once, with the latest that was used.
    pub(crate) limits_reached: Vec<LimitHit>,
    /// All sleeps together.
    pub(crate) slept: Duration,
    /// Bytes of all bodies, both ways.
    pub(crate) http_bytes: u64,
    /// All requests together, without the one under way.
    pub(crate) http_time: Duration,
    /// How long somebody was waited for in the request under way, which is no part of the time that it may take.
    pub(super) http_waited: Duration,
    /// What else is put on record of calls, and where.
    pub(crate) recording: CallRecording,
    /// The number of the call that began last: calls have one, whether anybody will look at them or not.
    pub(super) begun: u64,
    /// The call that has begun and not ended, if anybody will look at it.
    pub(super) open_call: Option<OpenCall>,
    /// Calls of capabilities, by the place of the rule that allowed them.
    by_rule: HashMap<usize, u64>,
}

impl Record {
    pub(crate) fn new(recording: CallRecording) -> Self {
        Self { recording, ..Self::default() }
    }

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
            self.reached(LimitHit::new(name, limit, used));
        }
        fits
    }

    /// A limit cut something off, or had something refused.
    pub(crate) fn reached(&mut self, limit_hit: LimitHit) {
        match self.limits_reached.iter_mut().find(|known| known.name == limit_hit.name) {
            Some(known) => known.used = known.used.max(limit_hit.used),
            None => self.limits_reached.push(limit_hit),
        }
    }

    /// One more call that a rule of capabilities allows. Gives back how many there have been.
    pub(super) fn count_call(&mut self, rule: usize) -> u64 {
        let count = self.by_rule.entry(rule).or_default();
        *count += 1;
        *count
    }
}
