//! Resources: what the host keeps for a guest, which knows them by handles.

use std::{
    any::Any,
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette_abi::value::{EncodeError, InvalidValue};

/// The resources of one guest. They live until it lets go of them, or until it ends: with its run, or with its session.
///
/// A handle is good for one interface and one resource of it, and for this guest alone.
#[derive(Clone)]
pub struct Resources {
    table: Arc<Mutex<Table>>,
    /// Whose functions are being called.
    capability: usize,
}

#[derive(Default)]
struct Table {
    limit: usize,
    latest: u32,
    live: HashMap<u32, Entry>,
}

struct Entry {
    capability: usize,
    definition: usize,
    value: Arc<dyn Any + Send + Sync>,
}

impl fmt::Debug for Resources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Resources").field("live", &self.lock().live.len()).finish_non_exhaustive()
    }
}

impl Resources {
    /// Of a new guest, which may hold `limit` at the same time.
    pub(crate) fn new(limit: u64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Self { table: Arc::new(Mutex::new(Table { limit, ..Table::default() })), capability: 0 }
    }

    /// The same table for the functions of one capability.
    pub(crate) fn of(&self, capability: usize) -> Self {
        Self { table: Arc::clone(&self.table), capability }
    }

    /// Hands a resource to the guest. `definition` is the place of its type in the interface.
    ///
    /// # Errors
    /// [`EncodeError::TooManyResources`].
    pub fn give<T: Any + Send + Sync>(&self, definition: usize, value: Arc<T>) -> Result<u32, EncodeError> {
        let mut table = self.lock();
        if table.live.len() >= table.limit {
            return Err(EncodeError::TooManyResources);
        }
        // Numbers are used again only after all others have been.
        loop {
            table.latest = table.latest.wrapping_add(1);
            if table.latest != 0 && !table.live.contains_key(&table.latest) {
                break;
            }
        }
        let handle = table.latest;
        table.live.insert(handle, Entry { capability: self.capability, definition, value });
        Ok(handle)
    }

    /// The resource behind a handle, which the guest keeps.
    ///
    /// # Errors
    /// [`InvalidValue::Handle`] if there is none of that type.
    pub fn borrow<T: Any + Send + Sync>(&self, definition: usize, handle: u32) -> Result<Arc<T>, InvalidValue> {
        let table = self.lock();
        let entry = table.live.get(&handle).filter(|entry| entry.is(self.capability, definition));
        Arc::clone(&entry.ok_or(InvalidValue::Handle)?.value).downcast().map_err(|_| InvalidValue::Handle)
    }

    /// The resource behind a handle, which the guest gives away.
    ///
    /// # Errors
    /// [`InvalidValue::Handle`] if there is none of that type.
    pub fn take<T: Any + Send + Sync>(&self, definition: usize, handle: u32) -> Result<Arc<T>, InvalidValue> {
        let value = self.borrow(definition, handle)?;
        let gone = self.lock().live.remove(&handle);
        // Dropped without the lock: what a resource does then is up to its author.
        drop(gone);
        Ok(value)
    }

    /// The guest lets go of a resource, if it holds it.
    pub(crate) fn release(&self, definition: usize, handle: u32) {
        let mut table = self.lock();
        let is_held = table.live.get(&handle).is_some_and(|entry| entry.is(self.capability, definition));
        let gone = if is_held { table.live.remove(&handle) } else { None };
        drop(table);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is(&self, capability: usize, definition: usize) -> bool {
        self.capability == capability && self.definition == definition
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_for_one_type_of_one_interface() {
        let forecasts = Resources::new(10).of(1);
        let handle = forecasts.give(3, Arc::new("station".to_owned())).unwrap();
        assert_eq!(*forecasts.borrow::<String>(3, handle).unwrap(), "station");
        assert_eq!(forecasts.borrow::<String>(2, handle), Err(InvalidValue::Handle));
        assert_eq!(forecasts.borrow::<u8>(3, handle), Err(InvalidValue::Handle));
        assert_eq!(forecasts.of(2).borrow::<String>(3, handle), Err(InvalidValue::Handle));
        forecasts.of(2).release(3, handle);
        assert_eq!(*forecasts.take::<String>(3, handle).unwrap(), "station");
        assert_eq!(forecasts.take::<String>(3, handle), Err(InvalidValue::Handle));
    }

    #[test]
    fn there_may_be_so_many_and_room_comes_back() {
        let resources = Resources::new(2);
        let first = resources.give(0, Arc::new(1)).unwrap();
        let second = resources.give(0, Arc::new(2)).unwrap();
        assert_eq!(resources.give(0, Arc::new(3)), Err(EncodeError::TooManyResources));
        resources.release(0, first);
        resources.release(0, first);
        let third = resources.give(0, Arc::new(3)).unwrap();
        assert!(third != second && third != first);
    }

    #[test]
    fn what_a_guest_held_ends_with_it() {
        let resources = Resources::new(2);
        let value = Arc::new(());
        resources.of(1).give(0, Arc::clone(&value)).unwrap();
        drop(resources);
        assert_eq!(Arc::strong_count(&value), 1);
    }
}
