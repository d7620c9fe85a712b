//! One snapshot on disk: its files, its key, and whether the files have changed since they were written.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use super::Key;
use crate::fingerprint::FileFingerprint;

/// The manifest of an entry. An entry without one is incomplete.
const FILE_NAME: &str = "snapshot.json";

/// The folder with the engine's files.
const DATA: &str = "data";

/// Maximum size of a manifest in bytes. A longer file is not read.
const SIZE_LIMIT: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Description {
    facts: BTreeMap<String, String>,
    files: BTreeMap<PathBuf, FileFingerprint>,
}

/// A snapshot in the cache, for display.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CachedSnapshot {
    /// The name of the entry.
    pub id: String,
    /// The facts that the snapshot depends on: image, runtime, hypervisor, processor, versions.
    pub facts: BTreeMap<String, String>,
    /// Size on disk in bytes.
    pub bytes: u64,
    /// The time when a sandbox last started from the snapshot.
    pub used: SystemTime,
}

impl CachedSnapshot {
    pub(super) fn read(directory: &Path) -> io::Result<Self> {
        let (description, used) = describe(directory)?;
        let id = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = description.files.values().map(FileFingerprint::size).sum();
        Ok(Self { id, facts: description.facts, bytes, used })
    }
}

/// The folder of the engine's files in an entry.
pub(super) fn data(directory: &Path) -> PathBuf {
    directory.join(DATA)
}

/// Writes the manifest, which marks the entry as complete. Called when the engine has written all of its files.
pub(super) fn write_manifest(directory: &Path, key: &Key) -> io::Result<()> {
    let facts = key.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    write(directory, &Description { facts, files: fingerprints(directory)? })
}

/// Writes the manifest again, for an entry whose files have been compared with their digests.
pub(super) fn update_manifest(directory: &Path) -> io::Result<()> {
    let (description, _) = describe(directory)?;
    write(directory, &Description { files: fingerprints(directory)?, ..description })
}

fn write(directory: &Path, description: &Description) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(&serde_json::to_vec_pretty(description)?)?;
    file.as_file().sync_all()?;
    file.persist(directory.join(FILE_NAME))?;
    Ok(())
}

/// Whether the files are unchanged since the manifest was written. An error says why they cannot be an entry at all.
pub(super) fn is_unchanged(directory: &Path) -> io::Result<bool> {
    let (description, _) = describe(directory)?;
    Ok(fingerprints(directory)? == description.files)
}

/// Records that a sandbox has started from the entry.
pub(super) fn record_use(directory: &Path) {
    // A cache that is not writable can still be used.
    let _ =
        File::options().append(true).open(directory.join(FILE_NAME)).map(|file| file.set_modified(SystemTime::now()));
}

fn describe(directory: &Path) -> io::Result<(Description, SystemTime)> {
    let file = File::open(directory.join(FILE_NAME))?;
    let used = file.metadata()?.modified()?;
    let mut text = Vec::new();
    file.take(SIZE_LIMIT).read_to_end(&mut text)?;
    Ok((serde_json::from_slice(&text)?, used))
}

/// The fingerprints of all files below the engine's folder.
fn fingerprints(directory: &Path) -> io::Result<BTreeMap<PathBuf, FileFingerprint>> {
    let mut fingerprints = BTreeMap::new();
    let mut folders = vec![PathBuf::from(DATA)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(directory.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                fingerprints.insert(path, FileFingerprint::of(&entry.metadata()?));
            }
        }
    }
    Ok(fingerprints)
}
