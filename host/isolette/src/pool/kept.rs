//! What a pool keeps: one value for each key, as long as it is used, and some longer.
//!
//! A value is in use as long as there is another reference to it. One that the pool drops while it is in use is found again
//! by its key, so there never are two values for one key.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use isolette_types::Error;

use crate::places::LastUse;

/// The values of a pool by their keys.
#[derive(Debug)]
pub(super) struct Kept<K, T> {
    limit: usize,
    idle: Duration,
    entries: Mutex<HashMap<K, Arc<Entry<T>>>>,
    next: AtomicU64,
}

/// The entry of a key, from the first request for it until its value is neither kept nor used.
#[derive(Debug)]
pub(super) struct Entry<T> {
    /// Identifies the key.
    pub(super) number: u64,
    pub(super) last_use: LastUse,
    /// Locked while the value is made.
    value: Mutex<Value<T>>,
}

#[derive(Debug)]
struct Value<T> {
    kept: Option<Arc<T>>,
    /// The value as long as it is used, even if it is kept no longer.
    live: Weak<T>,
    /// Whether it is kept as long as the pool exists.
    is_pinned: bool,
}

/// Values that are kept no longer. They are dropped by the caller, who holds no lock.
#[derive(Debug)]
pub(super) struct Dropped<T> {
    pub(super) idle: Vec<Arc<T>>,
    pub(super) beyond_limit: Vec<Arc<T>>,
}

impl<K: Eq + Hash + Clone, T> Kept<K, T> {
    pub(super) fn new(limit: usize, idle: Duration) -> Self {
        Self { limit: limit.max(1), idle, entries: Mutex::default(), next: AtomicU64::new(0) }
    }

    /// Returns the value of a key, which `make` makes if there is none, and whether it was added to what is kept. Other callers
    /// for the same key wait meanwhile; those for other keys do not.
    pub(super) fn get(
        &self,
        key: &K,
        now: Instant,
        is_pinned: bool,
        make: impl FnOnce(&Entry<T>) -> Result<Arc<T>, Error>,
    ) -> Result<(Arc<T>, bool), Error> {
        let entry = self.entry(key, now);
        let mut value = entry.value();
        entry.last_use.touch(now);
        value.is_pinned |= is_pinned;
        if let Some(kept) = &value.kept {
            return Ok((Arc::clone(kept), false));
        }
        let live = match value.live.upgrade() {
            Some(live) => live,
            None => make(&entry)?,
        };
        value.live = Arc::downgrade(&live);
        value.kept = Some(Arc::clone(&live));
        Ok((live, true))
    }

    /// Returns the value of a key if it is kept and no caller makes it, without waiting.
    pub(super) fn existing(&self, key: &K, now: Instant) -> Option<Arc<T>> {
        let entry = self.entries().get(key).cloned()?;
        let kept = entry.value.try_lock().ok()?.kept.clone()?;
        entry.last_use.touch(now);
        Some(kept)
    }

    fn entry(&self, key: &K, now: Instant) -> Arc<Entry<T>> {
        let mut entries = self.entries();
        let new = || {
            let value = Value { kept: None, live: Weak::new(), is_pinned: false };
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            Arc::new(Entry { number, last_use: LastUse::new(now), value: Mutex::new(value) })
        };
        Arc::clone(entries.entry(key.clone()).or_insert_with(new))
    }

    /// Keeps values no longer that were not used for the idle time, then the least recently used ones beyond the limit: first
    /// those that are not in use.
    pub(super) fn trim(&self, now: Instant) -> Dropped<T> {
        let mut entries = self.entries();
        let mut dropped = Dropped { idle: Vec::new(), beyond_limit: Vec::new() };
        let (mut count, mut candidates) = (0_usize, Vec::new());
        entries.retain(|_, entry| {
            // The value is being made, or was just requested.
            if Arc::strong_count(entry) > 1 {
                count += 1;
                return true;
            }
            let mut value = entry.value();
            let Some(kept) = &value.kept else { return value.live.strong_count() > 0 };
            let is_used = Arc::strong_count(kept) > 1;
            let last_use = entry.last_use.time();
            if value.is_pinned {
                count += 1;
            } else if !is_used && now.saturating_duration_since(last_use) >= self.idle {
                dropped.idle.extend(value.kept.take());
                return false;
            } else {
                count += 1;
                candidates.push((is_used, last_use, Arc::clone(entry)));
            }
            true
        });
        candidates.sort_by_key(|(is_used, last_use, _)| (*is_used, *last_use));
        for (.., entry) in candidates.into_iter().take(count.saturating_sub(self.limit)) {
            dropped.beyond_limit.extend(entry.value().kept.take());
        }
        // Their entries go with the next call, if they are not in use.
        dropped
    }
}

impl<K, T> Kept<K, T> {
    /// Number of values that are kept.
    pub(super) fn count(&self) -> usize {
        let kept = |entry: &Arc<Entry<T>>| match entry.value.try_lock() {
            Ok(value) => value.kept.is_some(),
            Err(TryLockError::Poisoned(value)) => value.into_inner().kept.is_some(),
            Err(TryLockError::WouldBlock) => true,
        };
        self.entries().values().filter(|entry| kept(entry)).count()
    }

    /// The time until the first value has been idle for long enough, if it is not used until then.
    pub(super) fn next_expiry(&self, now: Instant) -> Duration {
        let left =
            |entry: &Arc<Entry<T>>| self.idle.saturating_sub(now.saturating_duration_since(entry.last_use.time()));
        self.entries().values().map(left).min().unwrap_or(self.idle)
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<K, Arc<Entry<T>>>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Entry<T> {
    fn value(&self) -> MutexGuard<'_, Value<T>> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
