//! Obtains a snapshot: from disk if it is complete, else by making it, once, even if several processes request it.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::{Key, SnapshotCache, entry};
use crate::user_cache;

/// The operations with which an engine makes, writes and reads a snapshot.
pub trait Recipe {
    /// The snapshot in memory.
    type Snapshot;
    /// The reason why there is no snapshot.
    type Error;

    /// Makes a snapshot.
    ///
    /// # Errors
    /// If the snapshot cannot be made.
    fn make(&self) -> Result<Self::Snapshot, Self::Error>;

    /// Writes the snapshot into an existing, empty folder.
    ///
    /// # Errors
    /// A text that says why it could not be written.
    fn save(&self, snapshot: &Self::Snapshot, folder: &Path) -> Result<(), String>;

    /// Reads what `save` wrote. With `check`, every byte is compared with its digest first.
    ///
    /// # Errors
    /// A text that says why it could not be read.
    fn load(&self, folder: &Path, check: bool) -> Result<Self::Snapshot, String>;
}

/// The origin of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The snapshot was on disk.
    Disk,
    /// The snapshot was made and is on disk now. The text says why an earlier snapshot was unusable, if there was one.
    Made(Option<String>),
    /// The snapshot was made and is only in memory, for this reason. The next process has to make it again.
    Memory(String),
}

impl SnapshotCache {
    /// Returns the snapshot for a key: from disk, else made by the recipe.
    ///
    /// # Errors
    /// The errors of the recipe.
    pub fn obtain<R: Recipe>(&self, key: &Key, recipe: &R) -> Result<(R::Snapshot, Origin), R::Error> {
        let entry = self.directory.join(key.id());
        let in_memory = |error: io::Error| {
            let reason = format!("{} cannot be used: {error}", self.directory.display());
            Ok((recipe.make()?, Origin::Memory(reason)))
        };
        if let Err(error) = user_cache::prepare(&self.directory) {
            return in_memory(error);
        }
        // The usual case takes no lock: entries are created and removed atomically.
        if let Ok(Some(snapshot)) = read(&entry, recipe) {
            return Ok((snapshot, Origin::Disk));
        }
        let lock = match lock(&entry) {
            Ok(lock) => lock,
            Err(error) => return in_memory(error),
        };
        // Another process may have made it while this one waited for the lock.
        let unusable = match read(&entry, recipe) {
            Ok(Some(snapshot)) => return Ok((snapshot, Origin::Disk)),
            Ok(None) => None,
            Err(reason) => Some(reason),
        };
        let snapshot = recipe.make()?;
        let written = write(&entry, key, recipe, &snapshot);
        drop(lock);
        Ok(match written {
            // Memory that is mapped from the file is shared with other processes.
            Ok(()) => (recipe.load(&entry::data(&entry), false).unwrap_or(snapshot), Origin::Made(unusable)),
            Err(reason) => (snapshot, Origin::Memory(reason)),
        })
    }
}

/// Reads an entry. `None` if there is no entry; an error if it is unusable.
fn read<R: Recipe>(entry: &Path, recipe: &R) -> Result<Option<R::Snapshot>, String> {
    if !entry.is_dir() {
        return Ok(None);
    }
    let unchanged = entry::is_unchanged(entry).map_err(|error| format!("{} is damaged: {error}", entry.display()))?;
    let loaded = recipe.load(&entry::data(entry), !unchanged);
    let snapshot = loaded.map_err(|error| format!("{} is damaged: {error}", entry.display()))?;
    if !unchanged {
        // The entry may be a copy, for example. If the manifest cannot be written, the digests are compared again the
        // next time.
        let _ = entry::update_manifest(entry);
    }
    entry::record_use(entry);
    Ok(Some(snapshot))
}

/// Writes a draft and renames it when it is complete. An existing entry is unusable and is replaced.
fn write<R: Recipe>(entry: &Path, key: &Key, recipe: &R, snapshot: &R::Snapshot) -> Result<(), String> {
    let draft = entry.with_extension("draft");
    let written = (|| {
        remove(&draft)?;
        user_cache::make_private(&entry::data(&draft))?;
        recipe.save(snapshot, &entry::data(&draft)).map_err(io::Error::other)?;
        entry::write_manifest(&draft, key)?;
        remove(entry)?;
        fs::rename(&draft, entry)
    })();
    written.map_err(|error| {
        let _ = remove(&draft);
        format!("cannot write {}: {error}", entry.display())
    })
}

fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn lock_file(entry: &Path) -> PathBuf {
    entry.with_extension("lock")
}

/// Waits until no other process makes this snapshot. The system releases the lock of a process that was killed.
fn lock(entry: &Path) -> io::Result<File> {
    let file = File::create(lock_file(entry))?;
    file.lock()?;
    Ok(file)
}

/// Locks an entry or a draft, unless another process is making it.
pub(super) fn try_lock(directory: &Path) -> Option<File> {
    let file = File::create(lock_file(directory)).ok()?;
    match file.try_lock() {
        Ok(()) => Some(file),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => None,
    }
}
