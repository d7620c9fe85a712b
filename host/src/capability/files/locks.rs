//! One guest at a time changes the length of a file, so that what one cuts off is not missing from what another adds.

use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::ledger::Holder;

/// Two files may share one; more of them only make that rarer.
const LOCKS: usize = 64;

static HELD: [Mutex<()>; LOCKS] = [const { Mutex::new(()) }; LOCKS];

/// Waits until the length of this file is changed by no other guest of this process.
pub(super) fn hold(file: &Holder) -> MutexGuard<'static, ()> {
    let mut hasher = DefaultHasher::new();
    file.hash(&mut hasher);
    let index = usize::try_from(hasher.finish() % LOCKS as u64).unwrap_or_default();
    HELD[index].lock().unwrap_or_else(PoisonError::into_inner)
}
