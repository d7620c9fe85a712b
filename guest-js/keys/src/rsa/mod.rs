//! RSA. A key is read once and kept: to check one takes as long as to use it.

mod encryption;
mod form;
mod signature;

use std::ops::RangeInclusive;

use rsa::{BoxedUint, PrivateKey, PublicKey};

use crate::Generator;

/// How many bits a modulus may have. Above, a new key takes longer than programs usually have.
pub const BITS: RangeInclusive<usize> = 512..=4096;

/// More bytes than anything here allocates at once.
pub const WORK: usize = 256 * 1024;

/// A key.
#[derive(Debug)]
pub enum Key {
    /// Modulus and public exponent.
    Public(PublicKey),
    /// A public key, and what belongs to it.
    Private(Box<PrivateKey>),
}

/// Why there is no key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are none.
    Invalid,
    /// A modulus of so many bits.
    Size(usize),
}

impl Key {
    /// A private key; nothing if there is none of that size or with that public exponent.
    pub fn generate(generator: &mut Generator, bits: usize, exponent: u32) -> Option<Key> {
        if !BITS.contains(&bits) || exponent < 3 || exponent.is_multiple_of(2) {
            return None;
        }
        let exponent = BoxedUint::from(u64::from(exponent));
        let key = PrivateKey::new_with_exp_unchecked(generator, bits, exponent).ok()?;
        Some(Key::Private(Box::new(key)))
    }

    /// The public key that belongs to it.
    pub fn to_public(&self) -> Key {
        Key::Public(self.public().clone())
    }

    fn public(&self) -> &PublicKey {
        match self {
            Key::Public(key) => key,
            Key::Private(key) => key.as_public_key(),
        }
    }

    fn private(&self) -> Option<&PrivateKey> {
        match self {
            Key::Public(_) => None,
            Key::Private(key) => Some(key),
        }
    }
}

/// Calls `$generic::<D>($argument…)` with a hash that signatures and encryption are made with.
macro_rules! with_hash {
    ($name:expr, $generic:ident($($argument:expr),*)) => {
        match $name {
            "sha1" => $generic::<sha1::Sha1>($($argument),*),
            "sha256" => $generic::<sha2::Sha256>($($argument),*),
            "sha384" => $generic::<sha2::Sha384>($($argument),*),
            "sha512" => $generic::<sha2::Sha512>($($argument),*),
            _ => None,
        }
    };
}
use with_hash;
