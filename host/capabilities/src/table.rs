//! The table of the resources that the host keeps for one guest.

use std::{
    any::Any,
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

/// The resources of one guest. A resource exists until the guest releases it, or until the guest ends: with its run, or
/// with its session.
///
/// Clones refer to the same table and keep it alive.
#[derive(Clone)]
pub struct ResourceTable(Arc<Mutex<Table>>);

/// The reference that [`Resources`] hold, which does not keep the table alive.
pub(super) type WeakTable = Weak<Mutex<Table>>;

/// The resources of one type that a guest holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldResources {
    /// Index of the capability.
    pub capability: usize,
    /// Index of the type in the interface.
    pub definition: usize,
    /// How many there are.
    pub count: usize,
}

#[derive(Default)]
pub(super) struct Table {
    pub(super) limit: usize,
    pub(super) latest: u32,
    pub(super) live: HashMap<u32, Entry>,
    calls: u64,
}

pub(super) struct Entry {
    pub(super) capability: usize,
    pub(super) definition: usize,
    /// The number of the call that gave it to the guest.
    pub(super) call: u64,
    pub(super) value: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for ResourceTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ResourceTable").field("live", &lock(&self.0).live.len()).finish_non_exhaustive()
    }
}

impl ResourceTable {
    /// Makes the table of a new guest, which may hold `limit` resources at the same time.
    pub fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Self(Arc::new(Mutex::new(Table { limit, ..Table::default() })))
    }

    /// Begins a call and returns its number, which is unique for this guest.
    pub fn begin_call(&self) -> u64 {
        let mut table = lock(&self.0);
        table.calls += 1;
        table.calls
    }

    /// Makes an empty table with the same limit.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self::new(lock(&self.0).limit as u64)
    }

    /// Returns what the guest holds, by type, in ascending order.
    #[must_use]
    pub fn held(&self) -> Vec<HeldResources> {
        let mut counts = BTreeMap::new();
        for entry in lock(&self.0).live.values() {
            *counts.entry((entry.capability, entry.definition)).or_default() += 1;
        }
        let held = |((capability, definition), count)| HeldResources { capability, definition, count };
        counts.into_iter().map(held).collect()
    }

    pub(super) fn downgrade(&self) -> WeakTable {
        Arc::downgrade(&self.0)
    }

    /// Removes the resources of a call whose result does not reach the guest.
    pub fn withdraw(&self, call: u64) {
        let gone: Vec<_> = lock(&self.0).live.extract_if(|_, entry| entry.call == call).collect();
        // Dropped without the lock, because the destructor of the resource may do anything.
        drop(gone);
    }

    /// Releases a resource of the guest, if the guest holds it.
    pub fn release(&self, capability: usize, definition: usize, handle: u32) {
        let mut table = lock(&self.0);
        let is_held = table.live.get(&handle).is_some_and(|entry| entry.is(capability, definition));
        let gone = if is_held { table.live.remove(&handle) } else { None };
        drop(table);
        drop(gone);
    }
}

impl Entry {
    pub(super) fn is(&self, capability: usize, definition: usize) -> bool {
        self.capability == capability && self.definition == definition
    }
}

pub(super) fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}
