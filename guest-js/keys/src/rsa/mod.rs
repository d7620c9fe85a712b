//! RSA. A key is parsed once and kept, because checking it takes as long as using it.

mod encryption;
mod form;
mod signature;

use std::ops::RangeInclusive;

use rsa::{BoxedUint, PrivateKey, PublicKey};

use crate::Generator;

/// The allowed sizes of a modulus in bits. Generating a larger key takes longer than the usual time limit.
pub const BITS: RangeInclusive<usize> = 512..=4096;

/// More bytes than any single allocation here.
pub const WORK: usize = 256 * 1024;

/// A key.
#[derive(Debug)]
pub enum Key {
    /// Modulus and public exponent.
    Public(PublicKey),
    /// A public key and its parts.
    Private(Box<PrivateKey>),
}

/// Why a key is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The bytes are not a key.
    Invalid,
    /// The modulus has this number of bits.
    Size(usize),
}

impl Key {
    /// Generates a private key; `None` for an unsupported size or public exponent.
    pub fn generate(generator: &mut Generator, bits: usize, exponent: u32) -> Option<Key> {
        if !BITS.contains(&bits) || exponent < 3 || exponent.is_multiple_of(2) {
            return None;
        }
        let exponent = BoxedUint::from(u64::from(exponent));
        let key = PrivateKey::new_with_exp_unchecked(generator, bits, exponent).ok()?;
        Some(Key::Private(Box::new(key)))
    }

    /// The public key of a private key.
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

/// Calls `$generic::<D>($argument…)` with the hash of a signature or encryption.
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
