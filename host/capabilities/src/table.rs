//! What the host keeps for one guest.

use std::{
    any::Any,
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
};

/// The resources of one guest. They live until it lets go of them, or until it ends: with its run, or with its session.
///
/// Clones are the same table, and keep it.
#[derive(Clone)]
pub struct ResourceTable(Arc<Mutex<Table>>);

/// Clones of [`Resources`] know it, and do not keep it.
pub(super) type WeakTable = Weak<Mutex<Table>>;

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
    /// The call that gave it.
    pub(super) call: u64,
    pub(super) value: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for ResourceTable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ResourceTable").field("live", &lock(&self.0).live.len()).finish_non_exhaustive()
    }
}

impl ResourceTable {
    /// Of a new guest, which may hold `limit` at the same time.
    pub fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Self(Arc::new(Mutex::new(Table { limit, ..Table::default() })))
    }

    /// A call begins. No two calls of a guest have the same number.
    pub fn begin_call(&self) -> u64 {
        let mut table = lock(&self.0);
        table.calls += 1;
        table.calls
    }

    pub(super) fn downgrade(&self) -> WeakTable {
        Arc::downgrade(&self.0)
    }

    /// The guest will not hear of what a call has given it.
    pub fn withdraw(&self, call: u64) {
        let gone: Vec<_> = lock(&self.0).live.extract_if(|_, entry| entry.call == call).collect();
        // Dropped without the lock: what a resource does then is up to its author.
        drop(gone);
    }

    /// The guest lets go of a resource, if it holds it.
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
