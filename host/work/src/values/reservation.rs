//! A part of the memory for values, which grows, shrinks, and is given back in the end.

use super::amount::{Amount, NoMemory, OF_PROCESS, Owner};

/// Memory that is set aside until this is dropped. The default has none yet.
#[derive(Debug)]
#[must_use]
pub struct Reservation {
    bytes: u64,
    owner: Owner,
    of: &'static Amount,
}

impl Reservation {
    pub(super) fn new(of: &'static Amount, owner: Owner) -> Self {
        Self { bytes: 0, owner, of }
    }

    /// How many bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Sets more aside, until the whole is dropped.
    ///
    /// # Errors
    /// There is not so much, or one reservation may not have so much.
    pub fn grow(&mut self, bytes: u64) -> Result<(), NoMemory> {
        self.of.take(self.owner, self.bytes, bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// The same, waiting while others leave too little, until `given_up` is ready: usually a timer.
    ///
    /// # Errors
    /// There was not so much in all that time, or one reservation may not have so much.
    pub async fn grow_until(&mut self, bytes: u64, given_up: impl Future<Output = ()>) -> Result<(), NoMemory> {
        self.of.wait(given_up, || self.grow(bytes)).await
    }

    /// Gives back what is more than this.
    pub fn shrink_to(&mut self, bytes: u64) {
        let more = self.bytes.saturating_sub(bytes);
        self.bytes -= more;
        self.of.give_back(more);
    }

    /// Takes over what another reservation has. Nothing is refused, since it was set aside before.
    pub fn absorb(&mut self, mut other: Self) {
        // Reservations of different amounts exist in tests alone.
        debug_assert!(std::ptr::eq(self.of, other.of));
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Default for Reservation {
    fn default() -> Self {
        Self::new(&OF_PROCESS, Owner::Anyone)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.of.give_back(self.bytes);
    }
}
