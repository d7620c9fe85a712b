//! A reservation of memory for values, which can grow and shrink and is released when it is dropped.

use super::amount::{Amount, NoMemory, OF_PROCESS, Owner};

/// Memory that is reserved until this is dropped. The default has 0 bytes.
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

    /// Returns how many bytes are reserved.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Reserves `bytes` more bytes, until the reservation is dropped.
    ///
    /// # Errors
    /// [`NoMemory`] if too little memory is free, or if one reservation may not have so much.
    pub fn grow(&mut self, bytes: u64) -> Result<(), NoMemory> {
        self.of.take(self.owner, self.bytes, bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Like [`Reservation::grow`], but waits while other values leave too little memory, until `given_up` is ready:
    /// usually a timer.
    ///
    /// # Errors
    /// [`NoMemory`] if too little memory was free all that time, or if one reservation may not have so much.
    pub async fn grow_until(&mut self, bytes: u64, given_up: impl Future<Output = ()>) -> Result<(), NoMemory> {
        self.of.wait(given_up, || self.grow(bytes)).await
    }

    /// Releases all bytes above `bytes`. Does nothing if fewer are reserved.
    pub fn shrink_to(&mut self, bytes: u64) {
        let more = self.bytes.saturating_sub(bytes);
        self.bytes -= more;
        self.of.give_back(more);
    }

    /// Takes over the bytes of another reservation. This cannot fail, since they are already reserved.
    pub fn absorb(&mut self, mut other: Self) {
        // No caller has reservations for values and for responses in one.
        debug_assert!(std::ptr::eq(self.of, other.of));
        self.bytes += std::mem::take(&mut other.bytes);
    }
}

impl Default for Reservation {
    fn default() -> Self {
        Self::new(&OF_PROCESS, Owner::Other)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.of.give_back(self.bytes);
    }
}
