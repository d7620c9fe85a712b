//! Snapshots of guests that are ready to run, kept on disk from one process to the next.
//!
//! A snapshot is machine state that will be executed, so it is trusted like a binary: the cache belongs to one user and
//! nobody else may write to it. This part knows directories and their identity; what is in a snapshot, and how it is made,
//! is the engine's business.

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

/// What a snapshot depends on. Any difference makes it another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(BTreeMap<&'static str, String>);

impl Key {
    pub fn new<const N: usize>(facts: [(&'static str, String); N]) -> Self {
        Self(facts.into())
    }

    /// The name of its entry.
    fn id(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, value) in &self.0 {
            for text in [name, &**value] {
                hasher.update((text.len() as u64).to_le_bytes());
                hasher.update(text);
            }
        }
        let digest = format!("{:x}", hasher.finalize());
        digest[..32].to_owned()
    }
}

/// The snapshots of one user, in `isolette/snapshots` of the folder that `XDG_CACHE_HOME` names, by default `~/.cache`.
///
/// It fills by itself: the first sandbox of an image in a micro-VM leaves a snapshot, and later ones start from it. What is
/// in it can be removed at any time, also while it is in use.
#[derive(Clone, Debug)]
pub struct SnapshotCache {
    directory: PathBuf,
}

/// What [`SnapshotCache::prune`] removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Pruned {
    /// How many snapshots.
    pub snapshots: usize,
    /// How many bytes they had.
    pub bytes: u64,
}

impl SnapshotCache {
    /// The cache of the user who runs this process. It need not be there yet.
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

    /// A cache in a directory of its own.
    #[must_use]
    pub fn at(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Where it is.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What is in it, the latest used first. A cache that is not there has nothing in it.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read.
    pub fn list(&self) -> Result<Vec<CachedSnapshot>, Error> {
        let mut found: Vec<_> =
            self.entries()?.iter().filter_map(|directory| CachedSnapshot::read(directory).ok()).collect();
        found.sort_by_key(|snapshot| std::cmp::Reverse(snapshot.used));
        Ok(found)
    }

    /// Removes the snapshots that nobody has used for a time, and what writers that were killed have left.
    ///
    /// # Errors
    /// [`Error::Io`] names what cannot be removed.
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
            // Whoever makes a snapshot holds the lock of its name, so a draft without a holder is nobody's.
            let Some(_lock) = obtain::try_lock(&directory) else { continue };
            fs::remove_dir_all(&directory)
                .map_err(|error| Error::io(format!("cannot remove {}", directory.display()), error))?;
            pruned.snapshots += usize::from(entry.is_ok());
            pruned.bytes += bytes;
        }
        Ok(pruned)
    }

    /// Every directory in it: entries, drafts, and what is neither any more.
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
