//! Pools of micro-VMs that are ready for a guest, and the snapshots that they start from.
//!
//! The memory size of a micro-VM is part of its snapshot, so there is one pool per size. Guests with different limits
//! share one: the runtime enforces the exact limit itself.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread::{self, ThreadId},
};

use hyperlight_host::{
    HyperlightError, Result,
    sandbox::snapshot::{OciTag, Snapshot},
};

use super::{
    Failure, lock,
    machine::{self, Files, Machine},
};
use crate::{WarmUp, ready::Wanted, snapshot::Key, snapshot::Origin, snapshot::Recipe, snapshot::SnapshotCache};

/// Minimum and maximum linear memory, in bytes, for which micro-VMs are made. A WebAssembly guest cannot have more than
/// the maximum.
const MINIMUM_MEMORY: u64 = 64 << 20;
const MAXIMUM_MEMORY: u64 = 8 << 30;

/// The name of the snapshot among its files on disk.
const TAG: &str = "isolette";

/// The pools of one image.
#[derive(Debug)]
pub(super) struct Pools {
    files: Files,
    warm_up: WarmUp,
    by_memory: Mutex<HashMap<u64, Arc<Pool>>>,
}

#[derive(Default)]
struct Pool {
    snapshot: Mutex<Option<Arc<Snapshot>>>,
    machines: Mutex<Machines>,
    /// Notified when a micro-VM has returned to the pool or is lost.
    returned: Condvar,
    /// The number of micro-VMs that the embedder wants to be ready.
    wanted: Wanted,
}

#[derive(Default)]
struct Machines {
    /// The micro-VMs that are ready, each with the thread that used it last; the most recently used one is last.
    ready: Vec<(ThreadId, Machine)>,
    /// The threads on which micro-VMs are being restored.
    restoring: Vec<ThreadId>,
    /// Number of callers that wait for a micro-VM that is being restored.
    waiting: usize,
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Pool").finish_non_exhaustive()
    }
}

impl Pools {
    pub(super) fn new(files: Files, warm_up: WarmUp) -> Self {
        Self { files, warm_up, by_memory: Mutex::default() }
    }

    fn pool(&self, memory: u64) -> Arc<Pool> {
        Arc::clone(lock(&self.by_memory).entry(memory).or_default())
    }

    /// Takes a micro-VM in which no program has run yet.
    pub(super) fn take(&self, memory_limit: u64) -> Result<Machine> {
        let memory = size(memory_limit);
        let pool = self.pool(memory);
        if let Some(machine) = pool.pop() {
            return Ok(machine);
        }
        self.start(&pool, memory)
    }

    fn start(&self, pool: &Pool, memory: u64) -> Result<Machine> {
        let snapshot = match &mut *lock(&pool.snapshot) {
            Some(snapshot) => Arc::clone(snapshot),
            empty => Arc::clone(empty.insert(self.snapshot(memory)?)),
        };
        tracing::debug_span!("start").in_scope(|| Machine::from_snapshot(&snapshot))
    }

    pub(super) fn keep_ready(&self, memory_limit: u64, count: usize) {
        self.pool(size(memory_limit)).wanted.add(count);
    }

    /// Withdraws a request to keep micro-VMs ready, and ends micro-VMs that are ready in excess.
    pub(super) fn release_ready(&self, memory_limit: u64, count: usize) {
        let pool = self.pool(size(memory_limit));
        pool.wanted.remove(count);
        let excess: Vec<_> = {
            let mut machines = lock(&pool.machines);
            let most = pool.capacity().min(machines.ready.len());
            machines.ready.drain(most..).collect()
        };
        drop(excess);
    }

    /// Starts micro-VMs until as many are ready as the embedder wants, or until the hypervisor refuses one.
    pub(super) fn fill(&self, memory_limit: u64) {
        let memory = size(memory_limit);
        let pool = self.pool(memory);
        while pool.ready() < pool.wanted.count() {
            let started = self.start(&pool, memory).and_then(|mut machine| machine.prefault().map(|()| machine));
            match started {
                Ok(machine) => lock(&pool.machines).ready.push((thread::current().id(), machine)),
                Err(error) => {
                    tracing::debug!(%error, "no micro-VM can be started in advance");
                    return;
                }
            }
            pool.returned.notify_one();
        }
    }

    /// Starts micro-VMs on another thread, if the embedder wants some to be ready and too few are.
    pub(super) fn refill_in_advance(pools: &Arc<Self>, memory_limit: u64) {
        let (pools, pool) = (Arc::clone(pools), pools.pool(size(memory_limit)));
        Wanted::refill(&pool, |pool| &pool.wanted, pool.ready(), move |_| pools.fill(memory_limit));
    }

    /// Number of micro-VMs that are ready or are being restored.
    pub(super) fn ready(&self, memory_limit: u64) -> usize {
        self.pool(size(memory_limit)).ready()
    }

    /// Everything that the state of a micro-VM for this limit depends on.
    pub(super) fn key(&self, memory_limit: u64) -> Key {
        Loaded { files: &self.files, warm_up: &self.warm_up, memory: size(memory_limit) }.key()
    }

    /// The snapshot from disk, or a new one.
    fn snapshot(&self, memory: u64) -> Result<Arc<Snapshot>> {
        let recipe = Loaded { files: &self.files, warm_up: &self.warm_up, memory };
        let Ok(cache) = SnapshotCache::of_user() else { return recipe.make() };
        let (snapshot, origin) = cache.obtain(&recipe.key(), &recipe)?;
        match origin {
            Origin::Disk | Origin::Made(None) => {}
            Origin::Made(Some(reason)) => tracing::warn!(reason, "a cached snapshot was unusable and was made again"),
            Origin::Memory(reason) => {
                tracing::warn!(reason, "the snapshot cannot be cached, so every process has to make it");
            }
        }
        Ok(snapshot)
    }

    /// Reserves a slot for a micro-VM that is no longer used, unless the pool is full.
    pub(super) fn reserve(&self, memory_limit: u64) -> Option<Slot> {
        let pool = self.pool(size(memory_limit));
        let snapshot = lock(&pool.snapshot).clone()?;
        let thread = thread::current().id();
        let mut machines = lock(&pool.machines);
        if machines.ready.len() + machines.restoring.len() >= pool.capacity() {
            return None;
        }
        machines.restoring.push(thread);
        drop(machines);
        Some(Slot { pool, thread, snapshot, machine: None })
    }

    /// The threads that have used the micro-VMs that are ready or are being restored.
    pub(super) fn threads(&self, memory_limit: u64) -> Vec<ThreadId> {
        let pool = self.pool(size(memory_limit));
        let machines = lock(&pool.machines);
        machines.ready.iter().rev().map(|(thread, _)| *thread).chain(machines.restoring.iter().copied()).collect()
    }
}

impl Pool {
    /// Maximum number of micro-VMs that are ready: as many as can run in parallel, or as many as the embedder wants.
    fn capacity(&self) -> usize {
        thread::available_parallelism().map_or(1, usize::from).max(self.wanted.count())
    }

    fn ready(&self) -> usize {
        let machines = lock(&self.machines);
        machines.ready.len() + machines.restoring.len()
    }

    /// Takes a micro-VM that is ready, or waits for one that is being restored: that takes less time than starting
    /// another one.
    fn pop(&self) -> Option<Machine> {
        let mut machines = lock(&self.machines);
        loop {
            if let Some(machine) = machines.pop() {
                return Some(machine);
            }
            if machines.waiting >= machines.restoring.len() {
                return None;
            }
            machines.waiting += 1;
            machines = self.returned.wait(machines).unwrap_or_else(PoisonError::into_inner);
            machines.waiting -= 1;
        }
    }
}

impl Machines {
    /// Takes a micro-VM, if possible one that was used on this thread: for another one, the kernel has to synchronize all
    /// processors.
    fn pop(&mut self) -> Option<Machine> {
        let here = thread::current().id();
        let position = self.ready.iter().position(|(thread, _)| *thread == here);
        let position = position.or_else(|| self.ready.len().checked_sub(1))?;
        Some(self.ready.remove(position).1)
    }
}

/// A slot in a pool, for a micro-VM that is being restored. Without one when it is dropped, the micro-VM is lost.
pub(super) struct Slot {
    pool: Arc<Pool>,
    thread: ThreadId,
    snapshot: Arc<Snapshot>,
    machine: Option<Machine>,
}

impl Slot {
    /// Restores the micro-VM for the next guest and puts it into the pool.
    pub(super) fn put_back(mut self, mut machine: Machine) {
        let restored = tracing::debug_span!("restore").in_scope(|| machine.restore(&self.snapshot));
        match restored.and_then(|()| tracing::debug_span!("prefault").in_scope(|| machine.prefault())) {
            Ok(()) => self.machine = Some(machine),
            Err(error) => tracing::debug!(%error, "a micro-VM cannot be restored and is discarded"),
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut machines = lock(&self.pool.machines);
        if let Some(position) = machines.restoring.iter().position(|thread| *thread == self.thread) {
            machines.restoring.remove(position);
        }
        machines.ready.extend(self.machine.take().map(|machine| (self.thread, machine)));
        drop(machines);
        self.pool.returned.notify_all();
    }
}

/// A micro-VM in which the image is loaded and no program has run.
struct Loaded<'a> {
    files: &'a Files,
    warm_up: &'a WarmUp,
    memory: u64,
}

impl Loaded<'_> {
    /// Everything that determines the contents of the snapshot, or whether it can be used.
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
        let snapshot = tracing::debug_span!("snapshot").in_scope(|| machine.snapshot())?;
        tracing::debug_span!("warm_up").in_scope(|| {
            machine.restore(&snapshot)?;
            let pages = match machine.warm_up(self.warm_up) {
                Ok(pages) => pages,
                Err(Failure::Hyperlight(error)) => return Err(error),
                Err(Failure::Stopped(_)) => Vec::new(),
            };
            machine.restore(&snapshot)?;
            machine.set_prefault_pages(pages)?;
            machine.snapshot()
        })
    }

    fn save(&self, snapshot: &Arc<Snapshot>, folder: &Path) -> std::result::Result<(), String> {
        let saved = tracing::debug_span!("save").in_scope(|| snapshot.save(folder, &OciTag::new(TAG)?));
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

/// The memory size of the micro-VM for a limit, in bytes.
fn size(memory_limit: u64) -> u64 {
    memory_limit.clamp(MINIMUM_MEMORY, MAXIMUM_MEMORY).next_power_of_two()
}
