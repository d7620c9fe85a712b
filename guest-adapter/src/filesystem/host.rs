//! Files on the host's mounts.

use std::collections::HashMap;

use isolette_abi::{
    CHUNK_LIMIT, Call,
    files::{self, FileError, Kind, Listing, Lock, StatReply, Status},
    transfer::Chunk,
};

use super::path::GuestPath;
use crate::waist::Wall;

type Known = Result<StatReply, FileError>;

/// More answers than this are not remembered, so that a program cannot fill the instance by asking.
const KNOWN_LIMIT: usize = 8192;

/// A lock that is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) lock: Lock,
    pub(crate) start: u64,
    /// 0 for all bytes that follow.
    pub(crate) length: u64,
    /// Only whether it could be had.
    pub(crate) test: bool,
}

/// What the host has said that need not be asked again.
#[derive(Default)]
pub(crate) struct HostFiles {
    /// Of files that cannot change during a run, as they are on read-only mounts.
    known: HashMap<String, Known>,
    /// Of the file that was asked for last.
    fresh: Option<Fresh<StatReply>>,
    /// Where the file ends that was read last.
    end: Option<Fresh<u64>>,
}

/// An answer that is good once, and only if nothing else has been asked since: a library that has just opened a file looks
/// at its size, and one that has read to the end looks whether it is the end.
struct Fresh<T> {
    path: String,
    asked: u64,
    answer: T,
}

impl<T> Fresh<T> {
    fn new(wall: &Wall, path: &str, answer: T) -> Self {
        Self { path: path.to_owned(), asked: wall.asked(), answer }
    }

    fn take(kept: &mut Option<Self>, wall: &Wall, path: &str) -> Option<T> {
        kept.take().filter(|fresh| fresh.asked == wall.asked() && fresh.path == path).map(|fresh| fresh.answer)
    }
}

impl HostFiles {
    pub(crate) fn stat(&mut self, wall: &mut Wall, path: &GuestPath, writable: bool) -> Result<Status, FileError> {
        self.find(wall, path, writable).map(|found| found.status)
    }

    /// Which file it is, if the host tells files apart by more than their names. Whoever asks asks next what is known of it, and
    /// is answered without the host.
    pub(crate) fn file(&mut self, wall: &mut Wall, path: &GuestPath, writable: bool) -> Result<Option<u64>, FileError> {
        let found = self.find(wall, path, writable)?;
        self.fresh = Some(Fresh::new(wall, path.as_str(), found));
        Ok(found.file)
    }

    fn find(&mut self, wall: &mut Wall, path: &GuestPath, writable: bool) -> Known {
        let path = path.as_str();
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        if let Some(found) = Fresh::take(&mut self.fresh, wall, path) {
            return Ok(found);
        }
        let found: Known = wall.ask(&Call::Files(files::Call::Stat { path })).read();
        if !writable && self.known.len() < KNOWN_LIMIT {
            self.known.insert(path.to_owned(), found);
        }
        self.fresh = found.ok().map(|found| Fresh::new(wall, path, found));
        found
    }

    /// The next question about a mount is answered without the host, if it comes at once.
    pub(crate) fn expect_directory(&mut self, wall: &Wall, path: &str) {
        let status = Status { kind: Kind::Directory, size: 0, modified: 0 };
        self.fresh = Some(Fresh::new(wall, path, StatReply { status, file: None }));
    }

    /// Locks bytes of a file, or gives a lock back. Who locks expects that others change files, on read-only mounts as well.
    pub(crate) fn lock(&mut self, wall: &mut Wall, path: &GuestPath, wanted: Wanted) -> Result<bool, FileError> {
        let Wanted { lock, start, length, test } = wanted;
        if lock != Lock::Unlock {
            self.known.clear();
        }
        wall.ask(&Call::Files(files::Call::Lock { path: path.as_str(), lock, start, length, test })).read()
    }

    /// At most one message's worth, and fewer bytes than asked for only at the end of the file.
    pub(crate) fn read(
        &mut self,
        wall: &mut Wall,
        path: &GuestPath,
        writable: bool,
        offset: u64,
        length: u32,
    ) -> Result<Vec<u8>, FileError> {
        let path = path.as_str();
        let known = match self.known.get(path) {
            Some(Ok(StatReply { status, .. })) if !writable && status.kind == Kind::File => Some(status.size),
            _ => Fresh::take(&mut self.end, wall, path),
        };
        if known.is_some_and(|end| offset >= end) {
            return Ok(Vec::new());
        }
        let length = length.min(CHUNK_LIMIT as u32);
        let reply = wall.ask(&Call::Files(files::Call::Read { path, offset, length }));
        let Chunk(bytes) = reply.read::<Result<_, FileError>>()?;
        if bytes.len() < length as usize {
            self.end = Some(Fresh::new(wall, path, offset.saturating_add(bytes.len() as u64)));
        }
        Ok(bytes.to_vec())
    }
}

pub(crate) fn write(wall: &mut Wall, path: &GuestPath, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
    let path = path.as_str();
    let mut offset = offset;
    for bytes in bytes.chunks(CHUNK_LIMIT) {
        change(wall, files::Call::Write { path, offset, bytes })?;
        offset = offset.map(|offset| offset.saturating_add(bytes.len() as u64));
    }
    Ok(())
}

pub(crate) fn list(wall: &mut Wall, path: &GuestPath) -> Result<Vec<(String, Kind)>, FileError> {
    let mut all = Vec::new();
    loop {
        let skip = u32::try_from(all.len()).map_err(|_| FileError::Io)?;
        let reply = wall.ask(&Call::Files(files::Call::List { path: path.as_str(), skip }));
        let Listing { entries, more } = reply.read::<Result<_, FileError>>()?;
        let end = !more || entries.is_empty();
        all.extend(entries.into_iter().map(|(name, kind)| (name.to_owned(), kind)));
        if end {
            return Ok(all);
        }
    }
}

/// Any call that is answered with no more than that it was done.
pub(crate) fn change(wall: &mut Wall, call: files::Call<'_>) -> Result<(), FileError> {
    wall.ask(&Call::Files(call)).read()
}
