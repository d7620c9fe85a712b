//! The limit on a guest's memory.

use wasmtime::{ResourceLimiter, Result};

/// All linear memories of the guest together.
#[derive(Default)]
pub(crate) struct Memory {
    limit: u64,
    used: u64,
    pub(crate) peak: u64,
    pub(crate) refused: bool,
}

impl Memory {
    /// What a guest has before its first program is not limited: the host compares it when it sets a limit.
    pub(crate) fn unlimited() -> Self {
        Self { limit: u64::MAX, ..Self::default() }
    }

    /// Returns false if the guest has more than that already.
    pub(crate) fn limit_to(&mut self, limit: u64) -> bool {
        self.limit = limit;
        self.used <= limit
    }
}

impl ResourceLimiter for Memory {
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
