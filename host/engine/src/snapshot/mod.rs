//! An on-disk cache of snapshots of guests that are ready to run, shared between processes.
//!
//! A snapshot is machine state that will be executed, so it is trusted like a binary: the cache belongs to one user and
//! no other user may write to it. This module manages directories and their identity; the contents of a snapshot, and
//! how it is made, are up to the engine.

mod entry;
mod obtain;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use sha2::{Digest as _, Sha256};

pub use self::entry::CachedSnapshot;
pub(crate) use self::obtain::{Origin, Recipe};
use crate::user_cache;
use isolette_types::Error;

/// Everything that a snapshot depends on. Different keys mean different snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(BTreeMap<&'static str, String>);

impl Key {
    pub fn new<const N: usize>(facts: [(&'static str, String); N]) -> Self {
        Self(facts.into())
    }

    /// The name of the entry.
    pub(crate) fn id(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, value) in &self.0 {
            for text in [name, &**value] {
                hasher.update((text.len() as u64).to_le_bytes());
                hasher.update(text);
            }
        }
        let digest = hex::encode(hasher.finalize());
        digest[..32].to_owned()
    }
}

/// The snapshots of one user, in `isolette/snapshots` of the folder that `XDG_CACHE_HOME` names, by default `~/.cache`.
///
/// It fills automatically: the first sandbox of an image in a micro-VM or a process stores a snapshot, and later ones start from it.
/// Its contents can be removed at any time, even while they are in use.
#[derive(Clone, Debug)]
pub struct SnapshotCache {
    directory: PathBuf,
}

/// The snapshots that [`SnapshotCache::prune`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Pruned {
    /// Number of snapshots.
    pub snapshots: usize,
    /// Their total size in bytes.
    pub bytes: u64,
}

impl SnapshotCache {
    /// The cache of the user who runs this process. The directory need not exist.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if neither `XDG_CACHE_HOME` nor a home directory is known.
    pub fn of_user() -> Result<Self, Error> {
        user_cache::folder("snapshots").map(Self::at).ok_or_else(|| Error::Unavailable {
            what: "the cache of snapshots".into(),
            reason: "neither XDG_CACHE_HOME nor a home directory is known".into(),
            hint: "set XDG_CACHE_HOME to a folder that only you can write to".into(),
        })
    }

    /// A cache in a given directory, which need not exist.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// The directory of the cache.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Lists the snapshots, the most recently used first. A cache whose directory does not exist is empty.
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be read.
    pub fn list(&self) -> Result<Vec<CachedSnapshot>, Error> {
        let mut found: Vec<_> =
            self.entries()?.iter().filter_map(|directory| CachedSnapshot::read(directory).ok()).collect();
        found.sort_by_key(|snapshot| std::cmp::Reverse(snapshot.used));
        Ok(found)
    }

    /// Removes the snapshots that have not been used for `unused_for`, and unfinished files of processes that were
    /// killed.
    ///
    /// # Errors
    /// [`Error::Io`] with what cannot be removed.
    pub fn prune(&self, unused_for: Duration) -> Result<Pruned, Error> {
        let now = SystemTime::now();
        let mut pruned = Pruned::default();
        for directory in self.entries()? {
            let entry = CachedSnapshot::read(&directory);
            let bytes = match &entry {
                Ok(entry) if now.duration_since(entry.used).unwrap_or_default() < unused_for => continue,
                Ok(entry) => entry.bytes,
                Err(_) => 0,
            };
            // A process that makes a snapshot holds the lock of its name, so a draft whose lock is free is abandoned.
            let Some(_lock) = obtain::try_lock(&directory) else { continue };
            fs::remove_dir_all(&directory)
                .map_err(|error| Error::io(format!("cannot remove {}", directory.display()), error))?;
            pruned.snapshots += usize::from(entry.is_ok());
            pruned.bytes += bytes;
        }
        Ok(pruned)
    }

    /// Every directory in the cache: entries, drafts, and invalid ones.
    fn entries(&self) -> Result<Vec<PathBuf>, Error> {
        let unreadable = |error| Error::io(format!("cannot read {}", self.directory.display()), error);
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(unreadable(error)),
        };
        let mut directories = Vec::new();
        for entry in entries {
            let entry = entry.map_err(unreadable)?;
            if entry.file_type().map_err(unreadable)?.is_dir() {
                directories.push(entry.path());
            }
        }
        directories.sort();
        Ok(directories)
    }
}
