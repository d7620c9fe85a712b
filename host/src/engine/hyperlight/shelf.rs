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
        let mut snapshot = lock(&shelf.snapshot);
        if let Some(snapshot) = snapshot.clone() {
            return tracing::debug_span!("start").in_scope(|| Machine::from_snapshot(&snapshot));
        }
        let mut machine = tracing::debug_span!("load").in_scope(|| Machine::cold(&self.files, memory))?;
        *snapshot = Some(tracing::debug_span!("snapshot").in_scope(|| machine.snapshot())?);
        Ok(machine)
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
