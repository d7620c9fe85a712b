//! The limit on the memory for responses that wait to be sent.

use super::{
    amount::{OF_RESPONSES, Owner},
    reservation::Reservation,
};

/// Memory of this process for responses of its servers, from before they are made until clients have read them.
///
/// This memory is apart from [`ValueMemory`](super::ValueMemory), so that clients that do not read take nothing away from programs that
/// run. The shares are the same: a quarter for one response, and the last eighth for short ones.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ResponseMemory;

impl ResponseMemory {
    /// Sets the limit in bytes. The default is 256 MiB. Existing reservations are kept.
    pub fn set_limit(bytes: u64) {
        OF_RESPONSES.set_limit(bytes);
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit() -> u64 {
        OF_RESPONSES.limit()
    }

    /// Returns how many bytes are reserved.
    #[must_use]
    pub fn used() -> u64 {
        OF_RESPONSES.used()
    }

    /// Returns a reservation of 0 bytes, which can grow.
    pub fn nothing() -> Reservation {
        Reservation::new(&OF_RESPONSES, Owner::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::memory::ValueMemory, *};

    #[test]
    fn responses_take_nothing_away_from_values() {
        let values = ValueMemory::used();
        let mut memory = ResponseMemory::nothing();
        memory.grow(1000).unwrap();
        assert_eq!((ResponseMemory::used(), ValueMemory::used()), (1000, values));
        assert!(!memory.grow(ResponseMemory::limit() / 4).unwrap_err().busy);
        drop(memory);
        assert_eq!(ResponseMemory::used(), 0);
    }
}
