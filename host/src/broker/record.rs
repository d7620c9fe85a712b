//! What a run has done so far. It is there from the first moment, so that a run that is ended loses nothing.

use isolette_abi::console::Stream;

use crate::{
    outcome::{CallRecord, Truncated, Usage},
    policy::Limits,
};

#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) truncated: Truncated,
    pub(crate) usage: Usage,
    pub(crate) calls: Vec<CallRecord>,
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
        fits
    }

    pub(super) fn call(&mut self, limits: &Limits, call: CallRecord) {
        if self.calls.len() < limits.calls_recorded {
            self.calls.push(call);
        } else {
            self.truncated.calls += 1;
        }
    }
}
