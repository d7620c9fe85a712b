//! The random number generator, which makes no host calls.
//!
//! The host seeds it at the start of each run. It is strong enough for keys.

use rand_chacha::{
    ChaCha20Rng,
    rand_core::{Rng, SeedableRng},
};

/// The generator of this run.
pub(crate) struct Random(ChaCha20Rng);

impl Default for Random {
    /// Before the first run, while the image is built: always the same.
    fn default() -> Self {
        Self(ChaCha20Rng::from_seed([0; 32]))
    }
}

impl Random {
    pub(crate) fn seeded(seed: [u8; 32]) -> Self {
        Self(ChaCha20Rng::from_seed(seed))
    }

    /// `None` if there is not enough memory.
    pub(crate) fn bytes(&mut self, length: u64) -> Option<Vec<u8>> {
        let length = usize::try_from(length).ok()?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).ok()?;
        bytes.resize(length, 0);
        self.0.fill_bytes(&mut bytes);
        Some(bytes)
    }

    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_sequence() {
        let draw = |seed| Random::seeded([seed; 32]).bytes(40);
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn a_sequence_goes_on_from_call_to_call() {
        let mut random = Random::seeded([7; 32]);
        assert_ne!(random.bytes(16), random.bytes(16));
        assert_eq!(random.bytes(0), Some(Vec::new()));
        assert_ne!(random.number(), random.number());
    }

    #[test]
    fn an_impossible_length_allocates_nothing() {
        assert_eq!(Random::default().bytes(u64::MAX), None);
    }
}
