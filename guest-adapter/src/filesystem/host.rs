//! Files on the mounts of the host.

use std::collections::HashMap;

use isolette_abi::{
    CHUNK_LIMIT, Call,
    files::{self, FileError, Kind, Listing, Lock, StatReply, Status},
    transfer::Chunk,
};

use super::path::GuestPath;
use crate::host_calls::HostCalls;

type Known = Result<StatReply, FileError>;

/// The maximum number of cached replies, so that a program cannot fill the memory of the instance.
const KNOWN_LIMIT: usize = 8192;

/// A requested lock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) lock: Lock,
    pub(crate) start: u64,
    /// 0 for all bytes from `start`.
    pub(crate) length: u64,
    /// Only test whether the lock is available.
    pub(crate) test: bool,
}

/// Cached replies of the host.
#[derive(Default)]
pub(crate) struct HostFiles {
    /// Files on read-only mounts, which do not change during a run.
    known: HashMap<String, Known>,
    /// The file of the latest request.
    fresh: Option<Fresh<StatReply>>,
    /// The end of the file that was read last.
    end: Option<Fresh<u64>>,
}

/// A reply that is valid once, and only if no host call was made since. A library that has just opened a file requests its
/// size, and one that has read to the end reads again.
struct Fresh<T> {
    path: String,
    count: u64,
    answer: T,
}

impl<T> Fresh<T> {
    fn new(calls: &HostCalls, path: &str, answer: T) -> Self {
        Self { path: path.to_owned(), count: calls.count(), answer }
    }

    fn take(kept: &mut Option<Self>, calls: &HostCalls, path: &str) -> Option<T> {
        kept.take().filter(|fresh| fresh.count == calls.count() && fresh.path == path).map(|fresh| fresh.answer)
    }
}

impl HostFiles {
    pub(crate) fn stat(
        &mut self,
        calls: &mut HostCalls,
        path: &GuestPath,
        writable: bool,
    ) -> Result<Status, FileError> {
        self.find(calls, path, writable).map(|found| found.status)
    }

    /// The identity of a file, if the host distinguishes files by more than their names. A caller requests the metadata next,
    /// which then needs no host call.
    pub(crate) fn file(
        &mut self,
        calls: &mut HostCalls,
        path: &GuestPath,
        writable: bool,
    ) -> Result<Option<u64>, FileError> {
        let found = self.find(calls, path, writable)?;
        self.fresh = Some(Fresh::new(calls, path.as_str(), found));
        Ok(found.file)
    }

    fn find(&mut self, calls: &mut HostCalls, path: &GuestPath, writable: bool) -> Known {
        let path = path.as_str();
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        if let Some(found) = Fresh::take(&mut self.fresh, calls, path) {
            return Ok(found);
        }
        let found: Known = calls.call(&Call::Files(files::Call::Stat { path })).read();
        if !writable && self.known.len() < KNOWN_LIMIT {
            self.known.insert(path.to_owned(), found);
        }
        self.fresh = found.ok().map(|found| Fresh::new(calls, path, found));
        found
    }

    /// Caches the metadata of a mount for the next request, if no other host call comes first.
    pub(crate) fn expect_directory(&mut self, calls: &HostCalls, path: &str) {
        let status = Status { kind: Kind::Directory, size: 0, modified: 0 };
        self.fresh = Some(Fresh::new(calls, path, StatReply { status, file: None }));
    }

    /// Locks or unlocks bytes of a file. A program that locks a file expects that others change it, also on read-only mounts.
    pub(crate) fn lock(&mut self, calls: &mut HostCalls, path: &GuestPath, wanted: Wanted) -> Result<bool, FileError> {
        let Wanted { lock, start, length, test } = wanted;
        if lock != Lock::Unlock {
            self.known.clear();
        }
        calls.call(&Call::Files(files::Call::Lock { path: path.as_str(), lock, start, length, test })).read()
    }

    /// At most one message. Fewer bytes than requested only at the end of the file.
    pub(crate) fn read(
        &mut self,
        calls: &mut HostCalls,
        path: &GuestPath,
        writable: bool,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, FileError> {
        let path = path.as_str();
        let known = match self.known.get(path) {
            Some(Ok(StatReply { status, .. })) if !writable && status.kind == Kind::File => Some(status.size),
            _ => Fresh::take(&mut self.end, calls, path),
        };
        if known.is_some_and(|end| offset >= end) {
            return Ok(Vec::new());
        }
        let length = length.min(CHUNK_LIMIT as u32);
        let reply = calls.call(&Call::Files(files::Call::Read { path, offset, length }));
        let Chunk(bytes) = reply.read::<Result<_, FileError>>()?;
        if bytes.len() < length as usize {
            self.end = Some(Fresh::new(calls, path, offset.saturating_add(bytes.len() as u64)));
        }
        Ok(bytes.to_vec())
    }
}

pub(crate) fn write(
    calls: &mut HostCalls,
    path: &GuestPath,
    offset: Option<u64>,
    bytes: &[u8],
) -> Result<(), FileError> {
    let path = path.as_str();
    let mut offset = offset;
    for bytes in bytes.chunks(CHUNK_LIMIT) {
        change(calls, files::Call::Write { path, offset, bytes })?;
        offset = offset.map(|offset| offset.saturating_add(bytes.len() as u64));
    }
    Ok(())
}

pub(crate) fn list(calls: &mut HostCalls, path: &GuestPath) -> Result<Vec<(String, Kind)>, FileError> {
    let mut all = Vec::new();
    loop {
        let skip = u32::try_from(all.len()).map_err(|_| FileError::Io)?;
        let reply = calls.call(&Call::Files(files::Call::List { path: path.as_str(), skip }));
        let Listing { entries, more } = reply.read::<Result<_, FileError>>()?;
        let end = !more || entries.is_empty();
        all.extend(entries.into_iter().map(|(name, kind)| (name.to_owned(), kind)));
        if end {
            return Ok(all);
        }
    }
}

/// A call whose reply contains no data.
pub(crate) fn change(calls: &mut HostCalls, call: files::Call<'_>) -> Result<(), FileError> {
    calls.call(&Call::Files(call)).read()
}
