//! Payloads that are too long for one message.
//!
//! All payloads of a guest count against one limit, whether the guest or the host stored them, so that a hostile length
//! costs nothing.

use std::{borrow::Cow, collections::HashMap, mem};

use isolette_abi::{CHUNK_LIMIT, Payload};

use isolette_deadline::Stop;

/// Maximum number of payloads at the same time. The project's guests use at most two.
const COUNT_LIMIT: usize = 64;

/// Maximum capacity, in bytes, of the buffer that is kept for the next payload.
const SPARE_LIMIT: usize = 4 << 20;

#[derive(Debug)]
pub(super) struct Transfers {
    limit: u64,
    used: u64,
    next: u32,
    payloads: HashMap<u32, Vec<u8>>,
    /// The buffer of a released payload, reused for the next one: allocating that much memory takes longer than filling
    /// it.
    spare: Vec<u8>,
}

impl Transfers {
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, used: 0, next: 1, payloads: HashMap::new(), spare: Vec::new() }
    }

    /// The payloads that are kept, by handle.
    pub(super) fn payloads(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.payloads.iter().map(|(handle, payload)| (*handle, payload.as_slice()))
    }

    /// The handle of the next payload.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// Takes over what was kept in another process. `Err` is the number of bytes if they exceed the limit.
    pub(super) fn restore(&mut self, next: u32, payloads: impl Iterator<Item = (u32, Vec<u8>)>) -> Result<(), u64> {
        (self.next, self.payloads) = (next, payloads.collect());
        self.used = self.payloads.values().map(|payload| payload.len() as u64).sum();
        if self.used > self.limit { Err(self.used) } else { Ok(()) }
    }

    /// Appends to a payload, or starts one. `None` if there is no room.
    pub(super) fn append(&mut self, handle: Option<u32>, bytes: &[u8]) -> Result<Option<u32>, Stop> {
        if self.used + bytes.len() as u64 > self.limit {
            return Ok(None);
        }
        let handle = match handle {
            Some(handle) => {
                self.payloads.get_mut(&handle).ok_or(Stop::Malformed)?.extend_from_slice(bytes);
                handle
            }
            None if self.payloads.len() == COUNT_LIMIT => return Ok(None),
            None => {
                // Only one payload may have the spare capacity; otherwise each of them could hold that much unused
                // memory.
                let alone = self.payloads.is_empty();
                let mut payload = if alone { mem::take(&mut self.spare) } else { Vec::new() };
                payload.extend_from_slice(bytes);
                self.insert(payload)
            }
        };
        self.used += bytes.len() as u64;
        Ok(Some(handle))
    }

    pub(super) fn read(&self, handle: u32, offset: u64, length: u32) -> Result<&[u8], Stop> {
        let payload = self.payloads.get(&handle).ok_or(Stop::Malformed)?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(payload.len());
        let end = start.saturating_add((length as usize).min(CHUNK_LIMIT)).min(payload.len());
        Ok(&payload[start..end])
    }

    pub(super) fn release(&mut self, handle: u32) {
        if let Some(payload) = self.payloads.remove(&handle) {
            self.used -= payload.len() as u64;
            self.reuse(payload.into());
        }
    }

    /// Takes back a buffer that [`Self::take`] returned, to reuse its memory.
    pub(super) fn reuse(&mut self, payload: Cow<'_, [u8]>) {
        if let Cow::Owned(mut memory) = payload
            && (self.spare.capacity()..=SPARE_LIMIT).contains(&memory.capacity())
        {
            memory.clear();
            self.spare = memory;
        }
    }

    /// Returns a payload that the guest has sent.
    pub(super) fn take<'a>(&mut self, payload: Payload<'a>) -> Result<Cow<'a, [u8]>, Stop> {
        match payload {
            Payload::Inline(bytes) => Ok(Cow::Borrowed(bytes)),
            Payload::Stored { handle, .. } => {
                let bytes = self.payloads.remove(&handle).ok_or(Stop::Malformed)?;
                self.used -= bytes.len() as u64;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Keeps a payload until the guest fetches it, unless it is short enough for the message. `Err` is the number of
    /// bytes that there is room for.
    pub(super) fn provide<'a>(&mut self, bytes: &'a [u8], inline: usize) -> Result<Payload<'a>, u64> {
        if bytes.len() <= inline.min(CHUNK_LIMIT) {
            Ok(Payload::Inline(bytes))
        } else {
            self.keep(bytes.len(), || bytes.to_vec()).map(|(handle, length)| Payload::Stored { handle, length })
        }
    }

    /// Keeps bytes that are too long for a message, without a copy: they are moved out of `bytes`. `None` if they fit
    /// into the message. `Err` is the number of bytes that there is room for.
    pub(super) fn keep_long(&mut self, bytes: &mut Vec<u8>) -> Result<Option<(u32, u64)>, u64> {
        if bytes.len() <= CHUNK_LIMIT { Ok(None) } else { self.keep(bytes.len(), || mem::take(bytes)).map(Some) }
    }

    fn keep(&mut self, length: usize, bytes: impl FnOnce() -> Vec<u8>) -> Result<(u32, u64), u64> {
        let length = length as u64;
        if self.used + length > self.limit || self.payloads.len() == COUNT_LIMIT {
            return Err(self.limit - self.used);
        }
        self.used += length;
        Ok((self.insert(bytes()), length))
    }

    fn insert(&mut self, bytes: Vec<u8>) -> u32 {
        let handle = self.next;
        self.next = self.next.wrapping_add(1);
        self.payloads.insert(handle, bytes);
        handle
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_goes_in_and_comes_out() {
        let mut transfers = Transfers::new(100);
        let handle = transfers.append(None, b"abc").unwrap().unwrap();
        assert_eq!(transfers.append(Some(handle), b"def").unwrap(), Some(handle));
        assert_eq!(transfers.read(handle, 2, 2).unwrap(), b"cd");
        assert_eq!(transfers.read(handle, u64::MAX, u32::MAX).unwrap(), b"");
        assert_eq!(&*transfers.take(Payload::Stored { handle, length: 0 }).unwrap(), b"abcdef");
        assert_eq!(transfers.used, 0);
    }

    #[test]
    fn the_limit_holds_and_room_comes_back() {
        let mut transfers = Transfers::new(4);
        let handle = transfers.append(None, b"abc").unwrap().unwrap();
        assert_eq!(transfers.append(Some(handle), b"de").unwrap(), None);
        transfers.release(handle);
        assert!(transfers.append(None, b"abcd").unwrap().is_some());
    }

    #[test]
    fn memory_that_is_used_again_is_not_there_many_times() {
        let mut transfers = Transfers::new(2 * SPARE_LIMIT as u64);
        let long = vec![0; SPARE_LIMIT];
        for _ in 1..COUNT_LIMIT {
            let handle = transfers.append(None, &long).unwrap().unwrap();
            transfers.release(handle);
            assert!(transfers.append(None, b"x").unwrap().is_some());
        }
        let held: usize = transfers.payloads.values().chain([&transfers.spare]).map(Vec::capacity).sum();
        assert!(held <= 2 * SPARE_LIMIT + COUNT_LIMIT * 64, "{held}");
    }

    #[test]
    fn memory_is_used_again() {
        let mut transfers = Transfers::new(2 * SPARE_LIMIT as u64);
        let handle = transfers.append(None, &vec![0; SPARE_LIMIT]).unwrap().unwrap();
        transfers.release(handle);
        let handle = transfers.append(None, b"x").unwrap().unwrap();
        assert!(transfers.payloads[&handle].capacity() >= SPARE_LIMIT);
    }

    #[test]
    fn an_unknown_handle_ends_the_guest() {
        let mut transfers = Transfers::new(4);
        assert_eq!(transfers.append(Some(7), b"x"), Err(Stop::Malformed));
        assert_eq!(transfers.read(7, 0, 1), Err(Stop::Malformed));
        assert_eq!(transfers.take(Payload::Stored { handle: 7, length: 1 }), Err(Stop::Malformed));
        transfers.release(7);
    }
}
