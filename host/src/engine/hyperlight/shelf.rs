//! Micro-VMs that are ready for a guest, and the snapshots that they start from.
//!
//! How much memory a micro-VM has is part of its snapshot, so there is a shelf for each size. Guests of different limits
//! share one: the runtime enforces the limit itself, to the byte.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    thread,
};

use hyperlight_host::{Result, sandbox::snapshot::Snapshot};

use super::{
    cache::{self, Key},
    lock,
    machine::{Files, Machine},
};

/// The least and the most linear memory that micro-VMs are made for. A guest of WebAssembly cannot have more than the
/// most.
const SMALLEST: u64 = 64 << 20;
const LARGEST: u64 = 8 << 30;

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

    /// Whether a snapshot was kept by an earlier process, so that the image's code will hardly be needed.
    pub(super) fn are_filled(&self) -> bool {
        self.key().is_known()
    }

    fn key(&self) -> Key {
        Key::new(&self.files.code.sha256, &self.files.runtime.sha256)
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
        let key = self.key();
        if let Some(snapshot) = tracing::debug_span!("map").in_scope(|| cache::load(&key, memory)) {
            return Ok(snapshot);
        }
        let mut machine = tracing::debug_span!("load").in_scope(|| Machine::cold(&self.files, memory))?;
        let snapshot = tracing::debug_span!("snapshot").in_scope(|| machine.snapshot())?;
        drop(machine);
        let kept = tracing::debug_span!("keep").in_scope(|| cache::keep(&key, memory, &snapshot));
        Ok(kept.unwrap_or(snapshot))
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

/// The size of the micro-VM for a limit.
fn size(memory_limit: u64) -> u64 {
    memory_limit.clamp(SMALLEST, LARGEST).next_power_of_two()
}

/// As many as can run at a time.
fn enough() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
