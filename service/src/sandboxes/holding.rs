//! Which state of a sandbox the shared store has, and whether this replica has the sandbox.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use cap_std::fs::{Metadata, MetadataExt as _};
use isolette_objects::Version;
use tokio::sync::{Mutex, MutexGuard};

use crate::store::Digest;

/// A file that was written this long before it was read, at least, is known to have another time if it is written again.
const SETTLED: Duration = Duration::from_secs(2);

/// Without a shared store, this has no meaning.
#[derive(Default)]
pub(crate) struct Holding {
    is_held: AtomicBool,
    /// That of the replicas when it was last certain that the sandbox is held.
    epoch: AtomicU64,
    published: Mutex<Published>,
}

/// What was written last.
#[derive(Default)]
pub(super) struct Published {
    pub(super) version: Option<Version>,
    /// The record without what makes it different from all others.
    pub(super) record: Option<Digest>,
    /// Files as they were read, by their paths.
    pub(super) files: HashMap<String, (Stamp, Digest)>,
}

/// Changes with each change of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp([i64; 6]);

impl Stamp {
    /// `None` if the file may change without another stamp.
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
    /// That of a sandbox whose record this replica has just written.
    pub(super) fn held(version: Version, epoch: u64) -> Self {
        let published = Published { version: Some(version), ..Published::default() };
        Self { is_held: AtomicBool::new(true), epoch: AtomicU64::new(epoch), published: Mutex::new(published) }
    }

    pub(crate) fn is_held(&self) -> bool {
        self.is_held.load(Ordering::SeqCst)
    }

    /// Whether this replica has the sandbox for sure.
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
