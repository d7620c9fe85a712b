//! Snapshots on disk, so that the next process need not make them again.
//!
//! They are kept for one user, in a folder that nobody else can write to: a snapshot is trusted like the image that it
//! was made of. What is there was put there whole, or not at all. Nothing here can fail a run: a snapshot that cannot be
//! kept or used is made anew, and the log says so.

use std::{
    env, fs, io,
    os::unix::fs::DirBuilderExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use hyperlight_host::{
    Result,
    sandbox::snapshot::{OciTag, Snapshot},
};
use sha2::{Digest as _, Sha256};

use super::machine;

/// What begins the name of an entry that is being written.
const DRAFT: &str = ".draft-";

/// Whoever takes longer to write one has been killed.
const DRAFT_LIFE: Duration = Duration::from_secs(60 * 60);

/// The name of the snapshot in an entry.
const TAG: &str = "isolette";

/// Which snapshots they are: everything that decides what is in them, or whether they can be used, but for their size.
#[derive(Clone, Debug)]
pub(super) struct Key(String);

impl Key {
    /// For the code and the runtime with these digests.
    pub(super) fn new(code: &str, runtime: &str) -> Self {
        let mut hasher = Sha256::new();
        for part in [machine::SETTINGS, code, runtime, &processor()] {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        Self(format!("{:x}", hasher.finalize()))
    }

    /// For micro-VMs with this much linear memory.
    fn path(&self, memory: u64) -> Option<PathBuf> {
        Some(folder()?.join(&self.0).join(memory.to_string()))
    }

    /// Whether a snapshot of any size is kept.
    pub(super) fn is_known(&self) -> bool {
        folder().is_some_and(|folder| folder.join(&self.0).is_dir())
    }
}

/// Who made the processor: a snapshot holds registers of its kind.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let vendor = text.lines().find_map(|line| line.strip_prefix("vendor_id")?.split_once(':'));
    vendor.map_or_else(String::new, |(_, vendor)| vendor.trim().to_owned())
}

/// Where all of them are.
pub(super) fn folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(env::home_dir()?.join(".cache")))?;
    Some(caches.join("isolette/snapshots"))
}

/// The snapshot, if it was kept.
pub(super) fn load(key: &Key, memory: u64) -> Option<Arc<Snapshot>> {
    let path = key.path(memory).filter(|path| path.exists())?;
    match OciTag::new(TAG).and_then(|tag| Snapshot::load(&path, tag)) {
        Ok(snapshot) => Some(Arc::new(snapshot)),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "a kept snapshot cannot be used; it is made anew");
            // Another process may have the files mapped; it keeps them.
            let _ = fs::remove_dir_all(&path);
            None
        }
    }
}

/// Keeps a snapshot, and returns it as it is on disk, where all processes share it.
pub(super) fn keep(key: &Key, memory: u64, snapshot: &Snapshot) -> Option<Arc<Snapshot>> {
    let path = key.path(memory)?;
    match write(&path, snapshot) {
        Ok(()) => load(key, memory),
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "the snapshot cannot be kept");
            None
        }
    }
}

fn write(path: &Path, snapshot: &Snapshot) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    clear_drafts(folder);
    let draft = tempfile::Builder::new().prefix(DRAFT).tempdir_in(folder)?;
    snapshot.save(draft.path(), &OciTag::new(TAG)?)?;
    match fs::rename(draft.path(), path) {
        // Another process was faster, and what it kept is the same.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
        result => Ok(result?),
    }
}

/// Removes what killed processes have left.
fn clear_drafts(folder: &Path) {
    let old = |entry: &fs::DirEntry| {
        let since = entry.metadata().and_then(|metadata| metadata.modified()).ok()?;
        SystemTime::now().duration_since(since).ok().filter(|age| *age > DRAFT_LIFE)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(DRAFT) && old(&entry).is_some() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
