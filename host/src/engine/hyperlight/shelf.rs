//! Micro-VMs that are ready for a guest, and the snapshots that they start from.
//!
//! How much memory a micro-VM has is part of its snapshot, so there is a shelf for each size. Guests of different limits
//! share one: the runtime enforces the limit itself, to the byte.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex},
    thread,
};

use hyperlight_host::{
    HyperlightError, Result,
    sandbox::snapshot::{OciTag, Snapshot},
};

use super::{
    lock,
    machine::{self, Files, Machine},
};
use crate::snapshot::{Key, Origin, Recipe, SnapshotCache};

/// The least and the most linear memory that micro-VMs are made for. A guest of WebAssembly cannot have more than the
/// most.
const SMALLEST: u64 = 64 << 20;
const LARGEST: u64 = 8 << 30;

/// The name of the snapshot among the files on disk.
const TAG: &str = "isolette";

/// One image's shelves.
#[derive(Debug)]
pub(super) struct Shelves {
    files: Files,
    by_memory: Mutex<HashMap<u64, Arc<Shelf>>>,
}

#[derive(Default)]
struct Shelf {
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    ready: Mutex<Vec<Machine>>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl Shelves {
    pub(super) fn new(files: Files) -> Self {
        Self { files, by_memory: Mutex::default() }
    }

    fn shelf(&self, memory: u64) -> Arc<Shelf> {
        Arc::clone(lock(&self.by_memory).entry(memory).or_default())
    }

    /// A micro-VM in which nothing has run yet.
    pub(super) fn take(&self, memory_limit: u64) -> Result<Machine> {
        let memory = size(memory_limit);
        let shelf = self.shelf(memory);
        if let Some(machine) = lock(&shelf.ready).pop() {
            return Ok(machine);
        }
        let snapshot = match &mut *lock(&shelf.snapshot) {
            Some(snapshot) => Arc::clone(snapshot),
            empty => Arc::clone(empty.insert(self.snapshot(memory)?)),
        };
        tracing::debug_span!("start").in_scope(|| Machine::from_snapshot(&snapshot))
    }

    /// The snapshot from disk, or a new one.
    fn snapshot(&self, memory: u64) -> Result<Arc<Snapshot>> {
        let recipe = Loaded { files: &self.files, memory };
        let Ok(cache) = SnapshotCache::of_user() else { return recipe.make() };
        let (snapshot, origin) = cache.obtain(&recipe.key(), &recipe)?;
        match origin {
            Origin::Disk | Origin::Made(None) => {}
            Origin::Made(Some(reason)) => tracing::warn!(reason, "a snapshot was of no use and was made again"),
            Origin::Memory(reason) => {
                tracing::warn!(reason, "the snapshot cannot be kept, so that every process has to make it");
            }
        }
        Ok(snapshot)
    }

    /// Makes a micro-VM that somebody is done with ready for the next one, unless enough are.
    pub(super) fn put_back(&self, memory_limit: u64, mut machine: Machine) {
        let shelf = self.shelf(size(memory_limit));
        let Some(snapshot) = lock(&shelf.snapshot).clone() else { return };
        if lock(&shelf.ready).len() >= enough() {
            return;
        }
        match tracing::debug_span!("restore").in_scope(|| machine.restore(&snapshot)) {
            Ok(()) => lock(&shelf.ready).push(machine),
            Err(error) => tracing::debug!(%error, "a micro-VM cannot be restored; the next one is a new one"),
        }
    }
}

/// A micro-VM in which the image is loaded and nothing has run.
struct Loaded<'a> {
    files: &'a Files,
    memory: u64,
}

impl Loaded<'_> {
    /// Everything that decides what is in the snapshot, or whether it can be used.
    fn key(&self) -> Key {
        Key::new([
            ("code", self.files.code.sha256.clone()),
            ("runtime", self.files.runtime.sha256.clone()),
            ("memory", self.memory.to_string()),
            ("settings", machine::settings()),
            ("hypervisor", "kvm".into()),
            ("processor", machine::processor()),
        ])
    }
}

impl Recipe for Loaded<'_> {
    type Snapshot = Arc<Snapshot>;
    type Error = HyperlightError;

    fn make(&self) -> Result<Arc<Snapshot>> {
        let mut machine = tracing::debug_span!("load").in_scope(|| Machine::cold(self.files, self.memory))?;
        tracing::debug_span!("snapshot").in_scope(|| machine.snapshot())
    }

    fn save(&self, snapshot: &Arc<Snapshot>, folder: &Path) -> std::result::Result<(), String> {
        let saved = tracing::debug_span!("keep").in_scope(|| snapshot.save(folder, &OciTag::new(TAG)?));
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn load(&self, folder: &Path, check: bool) -> std::result::Result<Arc<Snapshot>, String> {
        let load = || {
            let tag = OciTag::new(TAG)?;
            if check { Snapshot::checked_load(folder, tag) } else { Snapshot::load(folder, tag) }
        };
        tracing::debug_span!("map").in_scope(load).map(Arc::new).map_err(|error| error.to_string())
    }
}

/// The size of the micro-VM for a limit.
fn size(memory_limit: u64) -> u64 {
    memory_limit.clamp(SMALLEST, LARGEST).next_power_of_two()
}

/// As many as can run at a time.
fn enough() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
