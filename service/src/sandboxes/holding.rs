//! The state of a sandbox in the shared store, and whether this replica holds the sandbox.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use cap_std::fs::{Metadata, MetadataExt as _};
use isolette_objects::Version;
use tokio::sync::{Mutex, MutexGuard};

use crate::store::Digest;

/// Minimum age of a file when it is read, from which on a later write certainly changes its modification time.
const SETTLED: Duration = Duration::from_secs(2);

/// The claim of this replica on a sandbox. Without a shared store, it has no meaning.
#[derive(Default)]
pub(crate) struct Holding {
    is_held: AtomicBool,
    /// The epoch of the replicas when it was last certain that the sandbox is held.
    epoch: AtomicU64,
    published: Mutex<Published>,
}

/// The record and the files that were written most recently.
#[derive(Default)]
pub(super) struct Published {
    pub(super) version: Option<Version>,
    /// The digest of the record without its nonce, which is different in every record.
    pub(super) record: Option<Digest>,
    /// Fingerprints and digests of the files as they were read, by their paths.
    pub(super) files: HashMap<String, (Fingerprint, Digest)>,
}

/// The fingerprint of a file, which changes with each change of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint([i64; 6]);

impl Fingerprint {
    /// The fingerprint of a file; `None` if the file may change without a change of its fingerprint.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        let modified = metadata.modified().ok()?.into_std();
        if SystemTime::now().duration_since(modified).is_ok_and(|age| age < SETTLED) {
            return None;
        }
        let (size, file) = (i64::try_from(metadata.len()).ok()?, metadata.ino().cast_signed());
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        Some(Self([size, file, metadata.mtime(), metadata.mtime_nsec(), changed.0, changed.1]))
    }
}

impl Holding {
    /// The claim on a sandbox whose record this replica has just written.
    pub(super) fn held(version: Version, epoch: u64) -> Self {
        let published = Published { version: Some(version), ..Published::default() };
        Self { is_held: AtomicBool::new(true), epoch: AtomicU64::new(epoch), published: Mutex::new(published) }
    }

    pub(crate) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::SeqCst)
    }

    /// Whether this replica certainly has the sandbox, in this epoch.
    pub(super) fn is_held_in(&self, epoch: u64) -> bool {
        self.is_held() && self.epoch.load(Ordering::SeqCst) == epoch
    }

    pub(super) fn hold(&self, epoch: u64) {
        self.epoch.store(epoch, Ordering::SeqCst);
        self.is_held.store(true, Ordering::SeqCst);
    }

    pub(super) fn release(&self) {
        self.is_held.store(false, Ordering::SeqCst);
    }

    pub(super) async fn lock(&self) -> MutexGuard<'_, Published> {
        self.published.lock().await
    }
}
