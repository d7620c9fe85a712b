//! One snapshot on disk: its files, what they are for, and whether they are still the ones that were written.

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
use crate::fingerprint::Stamp;

/// The description of an entry. An entry without one was never finished.
const FILE_NAME: &str = "snapshot.json";

/// The folder with the engine's files.
const DATA: &str = "data";

/// A description is short; whoever put something long there does not get it read.
const SIZE_LIMIT: u64 = 1 << 20;

#[derive(Debug, Serialize, Deserialize)]
struct Description {
    facts: BTreeMap<String, String>,
    files: BTreeMap<PathBuf, Stamp>,
}

/// A snapshot in the cache, for people.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CachedSnapshot {
    /// The name of its entry.
    pub id: String,
    /// What it depends on: image, runtime, hypervisor, processor, versions.
    pub facts: BTreeMap<String, String>,
    /// Bytes on disk.
    pub bytes: u64,
    /// When a sandbox last started from it.
    pub used: SystemTime,
}

impl CachedSnapshot {
    pub(super) fn read(directory: &Path) -> io::Result<Self> {
        let (description, used) = describe(directory)?;
        let id = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = description.files.values().map(Stamp::size).sum();
        Ok(Self { id, facts: description.facts, bytes, used })
    }
}

/// Where the engine's files are in an entry.
pub(super) fn data(directory: &Path) -> PathBuf {
    directory.join(DATA)
}

/// Says that the entry is whole. Called when the engine has written all of its files.
pub(super) fn seal(directory: &Path, key: &Key) -> io::Result<()> {
    let facts = key.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    write(directory, &Description { facts, files: stamps(directory)? })
}

/// The same for an entry whose files have been compared with their digests.
pub(super) fn seal_again(directory: &Path) -> io::Result<()> {
    let (description, _) = describe(directory)?;
    write(directory, &Description { files: stamps(directory)?, ..description })
}

fn write(directory: &Path, description: &Description) -> io::Result<()> {
    let mut file = NamedTempFile::new_in(directory)?;
    file.write_all(&serde_json::to_vec_pretty(description)?)?;
    file.as_file().sync_all()?;
    file.persist(directory.join(FILE_NAME))?;
    Ok(())
}

/// Whether the files are the ones that were sealed, and untouched. An error says why they cannot be an entry at all.
pub(super) fn untouched(directory: &Path) -> io::Result<bool> {
    let (description, _) = describe(directory)?;
    Ok(stamps(directory)? == description.files)
}

/// Notes that somebody has started from it.
pub(super) fn touch(directory: &Path) {
    // A cache that cannot be written to serves just as well.
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

/// Every file below the engine's folder.
fn stamps(directory: &Path) -> io::Result<BTreeMap<PathBuf, Stamp>> {
    let mut stamps = BTreeMap::new();
    let mut folders = vec![PathBuf::from(DATA)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(directory.join(&folder))? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                stamps.insert(path, Stamp::of(&entry.metadata()?));
            }
        }
    }
    Ok(stamps)
}
