//! The resources of a guest, as handlers of interfaces use them.

use std::{any::Any, fmt, sync::Arc};

use isolette_abi::value::{EncodeError, InvalidValue};

use super::table::{Entry, ResourceTable, WeakTable, lock};

/// The resources of one guest, identified by handles. A resource exists until the guest releases it, or until the guest
/// ends: with its run, or with its session.
///
/// A handle is valid for one type of one interface, and for this guest only. Keeping this value keeps no resources
/// alive: after the guest has ended there are none.
#[derive(Clone)]
pub struct Resources {
    pub(super) table: WeakTable,
    /// Index of the capability whose function is called.
    pub(super) capability: usize,
    pub(super) call: u64,
}

impl fmt::Debug for Resources {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let live = self.table.upgrade().map(|table| lock(&table).live.len());
        formatter.debug_struct("Resources").field("live", &live).finish_non_exhaustive()
    }
}

impl ResourceTable {
    /// Returns the view for a call of a function of one capability.
    pub fn of(&self, capability: usize, call: u64) -> Resources {
        Resources { table: self.downgrade(), capability, call }
    }
}

impl Resources {
    /// Gives a resource to the guest and returns its handle. `definition` is the index of its type in the interface. If
    /// the call then has no result, the resource is removed, since the guest never got the handle.
    ///
    /// # Errors
    /// [`EncodeError::TooManyResources`] if the guest holds as many resources as it may, or has ended.
    pub fn give<T: Any + Send + Sync>(&self, definition: usize, value: Arc<T>) -> Result<u32, EncodeError> {
        let table = self.table.upgrade().ok_or(EncodeError::TooManyResources)?;
        let mut table = lock(&table);
        if table.live.len() >= table.limit {
            return Err(EncodeError::TooManyResources);
        }
        // A handle is reused only after all other numbers have been used.
        loop {
            table.latest = table.latest.wrapping_add(1);
            if table.latest != 0 && !table.live.contains_key(&table.latest) {
                break;
            }
        }
        let handle = table.latest;
        table.live.insert(handle, Entry { capability: self.capability, definition, call: self.call, value });
        Ok(handle)
    }

    /// Returns the resource of a handle; the guest keeps it.
    ///
    /// # Errors
    /// [`InvalidValue::Handle`] if there is no such resource of that type.
    pub fn borrow<T: Any + Send + Sync>(&self, definition: usize, handle: u32) -> Result<Arc<T>, InvalidValue> {
        let table = self.table.upgrade().ok_or(InvalidValue::Handle)?;
        let table = lock(&table);
        let entry = table.live.get(&handle).filter(|entry| entry.is(self.capability, definition));
        Arc::clone(&entry.ok_or(InvalidValue::Handle)?.value).downcast().map_err(|_| InvalidValue::Handle)
    }

    /// Returns the resource of a handle, and removes it from the guest.
    ///
    /// # Errors
    /// [`InvalidValue::Handle`] if there is no such resource of that type.
    pub fn take<T: Any + Send + Sync>(&self, definition: usize, handle: u32) -> Result<Arc<T>, InvalidValue> {
        let value = self.borrow(definition, handle)?;
        let table = self.table.upgrade().ok_or(InvalidValue::Handle)?;
        let gone = lock(&table).live.remove(&handle);
        // Dropped without the lock, because the destructor of the resource may do anything.
        drop(gone);
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_for_one_type_of_one_interface() {
        let table = ResourceTable::new(10);
        let (forecasts, others) = (table.of(1, 0), table.of(2, 0));
        let handle = forecasts.give(3, Arc::new("station".to_owned())).unwrap();
        assert_eq!(*forecasts.borrow::<String>(3, handle).unwrap(), "station");
        assert_eq!(forecasts.borrow::<String>(2, handle), Err(InvalidValue::Handle));
        assert_eq!(forecasts.borrow::<u8>(3, handle), Err(InvalidValue::Handle));
        assert_eq!(others.borrow::<String>(3, handle), Err(InvalidValue::Handle));
        table.release(2, 3, handle);
        assert_eq!(*forecasts.take::<String>(3, handle).unwrap(), "station");
        assert_eq!(forecasts.take::<String>(3, handle), Err(InvalidValue::Handle));
    }

    #[test]
    fn there_may_be_so_many_and_room_comes_back() {
        let table = ResourceTable::new(2);
        let resources = table.of(0, 0);
        let first = resources.give(0, Arc::new(1)).unwrap();
        let second = resources.give(0, Arc::new(2)).unwrap();
        assert_eq!(resources.give(0, Arc::new(3)), Err(EncodeError::TooManyResources));
        table.release(0, 0, first);
        table.release(0, 0, first);
        let third = resources.give(0, Arc::new(3)).unwrap();
        assert!(third != second && third != first);
    }

    #[test]
    fn resources_of_a_guest_end_with_it_despite_views() {
        let table = ResourceTable::new(2);
        let (kept, value) = (table.of(1, 0), Arc::new(()));
        let handle = kept.give(0, Arc::clone(&value)).unwrap();
        drop(table);
        assert_eq!(Arc::strong_count(&value), 1);
        assert_eq!(kept.borrow::<()>(0, handle), Err(InvalidValue::Handle));
        assert_eq!(kept.give(0, value), Err(EncodeError::TooManyResources));
    }

    #[test]
    fn what_one_call_gave_can_be_withdrawn() {
        let table = ResourceTable::new(10);
        let (before, now) = (table.begin_call(), table.begin_call());
        let (of_before, of_now) = (table.of(0, before), table.of(1, now));
        let kept = of_before.give(0, Arc::new("kept")).unwrap();
        let value = Arc::new("gone");
        let gone = of_now.give(0, Arc::clone(&value)).unwrap();
        // A function that continues after its call does not belong to the next call.
        let late = of_before.give(0, Arc::new("late")).unwrap();
        table.withdraw(now);
        assert_eq!(Arc::strong_count(&value), 1);
        assert_eq!(of_now.borrow::<&str>(0, gone), Err(InvalidValue::Handle));
        for handle in [kept, late] {
            assert!(of_before.borrow::<&str>(0, handle).is_ok());
        }
    }
}
