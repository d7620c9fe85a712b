//! The number and the size of the programs that wait in files.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// Limits of the programs that wait.
#[derive(Clone, Copy, Debug)]
pub(in crate::server) struct StateLimits {
    pub(in crate::server) programs: usize,
    pub(in crate::server) bytes: u64,
}

/// The bytes of each program that waits, by a name.
pub(super) struct Quantities {
    limits: StateLimits,
    bytes: Mutex<HashMap<String, u64>>,
}

impl Quantities {
    pub(super) fn new(limits: StateLimits, found: HashMap<String, u64>) -> Self {
        Self { limits, bytes: Mutex::new(found) }
    }

    /// Counts a program, or counts it anew. Returns whether it fits; if not, nothing has changed.
    pub(super) fn add(&self, name: &str, more: u64) -> bool {
        let mut bytes = self.lock();
        let others = bytes.iter().filter(|(other, _)| *other != name);
        let (count, sum) =
            others.fold((0_usize, 0_u64), |(count, sum), (_, bytes)| (count + 1, sum.saturating_add(*bytes)));
        let fits = count < self.limits.programs && sum.saturating_add(more) <= self.limits.bytes;
        if fits {
            bytes.insert(name.to_owned(), more);
        }
        fits
    }

    pub(super) fn remove(&self, name: &str) {
        self.lock().remove(name);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_bytes_are_limited() {
        let quantities = Quantities::new(StateLimits { programs: 2, bytes: 10 }, HashMap::new());
        assert!(quantities.add("a", 1) && quantities.add("a", 6));
        assert!(!quantities.add("b", 5) && quantities.add("b", 4));
        assert!(!quantities.add("c", 0), "there are two");
        assert!(!quantities.add("b", 5), "and it stays as it was");
        quantities.remove("a");
        assert!(quantities.add("c", 6));
    }
}
