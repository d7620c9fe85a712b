//! Limits how much one guest may write.
//!
//! Files are counted by their length, not by their disk usage, because a file that is extended now can be filled later.
//! Bytes that existed before the guest are neither charged nor credited. Lengths are those of the very file that was
//! opened, and what a removed name credits depends on whether the file has other names (`ledger`).

use std::{mem, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    Changes,
    edit::Edit,
    ledger::{Change, Ledger},
    place::Place,
};
use isolette_policy::Limits;
use isolette_policy::{FileError, Kind, OUTPUT};
use isolette_types::{LimitHit, LimitName};

/// Maximum number of entries that are examined to find out how deep a directory is.
const LOOKED_AT: u64 = 10_000;

/// What a guest has written so far, for a process in which it continues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedQuota {
    bytes: u64,
    count: u64,
    changes: Vec<String>,
    more_changes: bool,
}

/// What a guest has written so far.
#[derive(Debug)]
pub struct Quota {
    limits: Arc<Limits>,
    bytes: Ledger,
    count: u64,
    limit_hit: Option<LimitHit>,
    /// Changes of the current run. All changes by a guest pass through here, so they are recorded here.
    changes: Changes,
}

impl Quota {
    /// The quota of a guest that has written nothing yet.
    pub fn new(limits: Arc<Limits>) -> Self {
        Self { limits, bytes: Ledger::default(), count: 0, limit_hit: None, changes: Changes::default() }
    }

    /// What another process has to know.
    pub fn save(&self) -> SavedQuota {
        SavedQuota {
            bytes: self.bytes.total(),
            count: self.count,
            changes: self.changes.paths().cloned().collect(),
            more_changes: self.changes.more(),
        }
    }

    /// Continues from what was saved: bytes and files that were counted count still. Bytes in files of a mounted directory are
    /// not given back when these become shorter: which file they are in is not saved.
    pub fn resume(&mut self, saved: &SavedQuota) {
        self.bytes.raise_to(saved.bytes);
        self.count = self.count.max(saved.count);
        saved.changes.iter().for_each(|path| self.changes.note(path));
        if saved.more_changes {
            self.changes.note_more();
        }
    }

    /// Returns and clears the limit that caused the last refusal.
    pub fn limit_hit(&mut self) -> Option<LimitHit> {
        self.limit_hit.take()
    }

    /// Returns and clears the changes in `/output` since the last call.
    pub fn take_changes(&mut self) -> Changes {
        mem::take(&mut self.changes)
    }

    fn refuse<T>(&mut self, error: FileError, name: LimitName, limit: u64, used: u64) -> Result<T, FileError> {
        self.limit_hit = Some(LimitHit::new(name, limit, used));
        Err(error)
    }

    /// The number of bytes that the guest is charged with.
    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        self.bytes.total()
    }

    pub(super) fn write(&mut self, place: &Place<'_>, offset: Option<u64>, bytes: &[u8]) -> Result<(), FileError> {
        self.edit(place, &Edit::Write { offset, bytes })
    }

    pub(super) fn resize(&mut self, place: &Place<'_>, size: u64) -> Result<(), FileError> {
        self.edit(place, &Edit::Resize(size))
    }

    fn edit(&mut self, place: &Place<'_>, edit: &Edit<'_>) -> Result<(), FileError> {
        let (change, done) = place.edit(edit, &mut |before, after| self.fits(before, after))?;
        if done.is_ok() || change.as_ref().is_some_and(|Change { before, after, .. }| before != after) {
            self.changed(place);
        }
        if let Some(change) = change {
            self.bytes.note(change);
        }
        done
    }

    /// Whether a file of `before` bytes may have `after` bytes.
    pub(super) fn fits(&mut self, before: u64, after: u64) -> Result<(), FileError> {
        let (each, all) = (self.limits.file_bytes, self.limits.file_total_bytes);
        if after > before && after > each {
            return self.refuse(FileError::FileTooLarge, LimitName::FileBytes, each, after);
        }
        let total = self.bytes.total().saturating_add(after.saturating_sub(before));
        if after > before && total > all {
            return self.refuse(FileError::NoSpace, LimitName::FileTotalBytes, all, total);
        }
        Ok(())
    }

    pub(super) fn create(&mut self, place: &Place<'_>, kind: Kind) -> Result<(), FileError> {
        self.place(place, 0)?;
        let limit = self.limits.file_count;
        if self.count >= limit {
            return self.refuse(FileError::NoSpace, LimitName::FileCount, limit, self.count.saturating_add(1));
        }
        place.create(kind)?;
        self.count += 1;
        if kind != Kind::Directory {
            self.changed(place);
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, place: &Place<'_>, kind: Kind) -> Result<(), FileError> {
        let freed = place.remove(kind)?;
        self.bytes.freed(&freed);
        self.gone(place);
        Ok(())
    }

    pub(super) fn rename(&mut self, source: &Place<'_>, target: &Place<'_>) -> Result<(), FileError> {
        let deeper = parts(target.path) > parts(source.path);
        self.place(target, if deeper { height(source, self.limits.file_depth) } else { 0 })?;
        let replaced = target.is_there();
        let freed = source.rename(target)?;
        // Two names of the same file: both remain.
        if replaced && source.is_there() {
            return Ok(());
        }
        self.bytes.freed(&freed);
        if replaced {
            self.gone(target);
        }
        if is_output(source) {
            self.changes.forget(source.path);
        }
        self.changed(target);
        Ok(())
    }

    fn gone(&mut self, place: &Place<'_>) {
        self.count = self.count.saturating_sub(1);
        if is_output(place) {
            self.changes.forget(place.path);
        }
    }

    fn changed(&mut self, place: &Place<'_>) {
        if is_output(place) {
            self.changes.note(place.path);
        }
    }

    /// Whether an entry of this name may exist, with `below` levels below it.
    fn place(&mut self, place: &Place<'_>, below: u64) -> Result<(), FileError> {
        let name = place.path.rsplit('/').next().unwrap_or_default().len() as u64;
        let limit = self.limits.file_name_bytes;
        if name > limit {
            return self.refuse(FileError::NameTooLong, LimitName::FileNameBytes, limit, name);
        }
        let depth = parts(place.path).saturating_add(below);
        let limit = self.limits.file_depth;
        if depth > limit {
            return self.refuse(FileError::NameTooLong, LimitName::FileDepth, limit, depth);
        }
        Ok(())
    }
}

fn is_output(place: &Place<'_>) -> bool {
    place.mount.guest == OUTPUT
}

fn parts(path: &str) -> u64 {
    path.split('/').count() as u64
}

/// The number of levels below a directory, at most `limit` + 1; also `limit` + 1 if the directory is too large to
/// examine.
fn height(place: &Place<'_>, limit: u64) -> u64 {
    fn walk(place: &Place<'_>, left: u64, looked_at: &mut u64) -> u64 {
        let Ok(entries) = place.system.list_directory(place.path) else { return 0 };
        let mut height = 0;
        for entry in entries {
            *looked_at += 1;
            if left == 0 || *looked_at > LOOKED_AT {
                return left.saturating_add(1);
            }
            // Links are not followed: their targets are not below this directory.
            let below = match entry.kind {
                Kind::Directory => walk(&Place { path: &place.child(&entry.name), ..*place }, left - 1, looked_at),
                Kind::File | Kind::Other => 0,
            };
            height = height.max(below + 1);
        }
        height
    }
    walk(place, limit, &mut 0)
}
