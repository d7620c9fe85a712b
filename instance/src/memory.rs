//! The limit on the memory of an instance.

use wasmtime::{Error, ResourceLimiter, Result};

/// Limits all linear memories of an instance together, in bytes.
#[derive(Debug)]
pub struct MemoryLimiter {
    limit: u64,
    used: u64,
    /// The bytes in use before the memory last grew.
    used_before: u64,
    peak: u64,
    peak_before: u64,
    refused: bool,
}

impl MemoryLimiter {
    pub(crate) const fn new(limit: u64) -> Self {
        Self { limit, used: 0, used_before: 0, peak: 0, peak_before: 0, refused: false }
    }

    /// Sets the limit and returns whether the memory in use is within it.
    pub(crate) const fn set(&mut self, limit: u64) -> bool {
        self.limit = limit;
        self.used <= limit
    }

    /// Sets the limit of a program that runs.
    ///
    /// # Errors
    /// If the memory in use is not within it.
    pub(crate) fn set_within(&mut self, limit: u64) -> Result<()> {
        if self.set(limit) {
            return Ok(());
        }
        self.refused = true;
        Err(Error::msg("the program has more memory than its new limit"))
    }

    pub(crate) const fn peak(&self) -> u64 {
        self.peak
    }

    /// Whether memory has been refused because of the limit.
    pub(crate) const fn has_refused(&self) -> bool {
        self.refused
    }
}

impl ResourceLimiter for MemoryLimiter {
    fn memory_growing(&mut self, current: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        let used = self.used + desired.saturating_sub(current) as u64;
        if used > self.limit {
            self.refused = true;
            return Ok(false);
        }
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        (self.used_before, self.used) = (self.used, used);
        (self.peak_before, self.peak) = (self.peak, self.peak.max(used));
        Ok(true)
    }

    /// Records that the system refused memory that the limit permitted.
    fn memory_grow_failed(&mut self, _: Error) -> Result<()> {
        (self.used, self.peak) = (self.used_before, self.peak_before);
        self.refused = true;
        Ok(())
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        Ok(maximum.is_none_or(|maximum| desired <= maximum))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_the_system_refuses_is_not_counted() {
        let mut memory = MemoryLimiter::new(100);
        assert!(memory.memory_growing(0, 40, None).unwrap());
        assert!(memory.memory_growing(40, 90, None).unwrap());
        memory.memory_grow_failed(Error::msg("no memory")).unwrap();
        assert_eq!((memory.used, memory.peak(), memory.has_refused()), (40, 40, true));
        assert!(memory.memory_growing(40, 100, None).unwrap());
        assert_eq!(memory.peak(), 100);
    }
}
