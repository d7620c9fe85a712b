//! The limit on the memory of an instance.

use wasmtime::{ResourceLimiter, Result};

/// Limits all linear memories of an instance together, in bytes.
#[derive(Debug)]
pub struct MemoryLimiter {
    limit: u64,
    used: u64,
    peak: u64,
    refused: bool,
}

impl MemoryLimiter {
    pub(crate) const fn new(limit: u64) -> Self {
        Self { limit, used: 0, peak: 0, refused: false }
    }

    /// Sets the limit and returns whether the memory in use is within it.
    pub(crate) const fn set(&mut self, limit: u64) -> bool {
        self.limit = limit;
        self.used <= limit
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
        self.used = used;
        self.peak = self.peak.max(used);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool> {
        Ok(maximum.is_none_or(|maximum| desired <= maximum))
    }
}
