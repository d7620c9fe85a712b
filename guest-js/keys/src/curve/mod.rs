//! Elliptic curves. A private key is its number or seed, a public one its point, both as bytes.

mod edwards;
mod montgomery;
mod nist;
mod short;

use crate::Generator;

/// The private key, if it is one, and the public key.
pub type Keys = (Option<Vec<u8>>, Vec<u8>);

/// What is done with keys on one curve. Nothing comes back where bytes are no key, or a curve is not for that.
pub trait Curve {
    /// `format` is `private`, `public`, `pkcs8`, `spki` or `sec1`.
    fn key(&self, format: &str, bytes: &[u8]) -> Option<Keys>;

    /// A new private key, and its public one. Not every number that is drawn is a key; nearly all are.
    fn generate(&self, generator: &mut Generator) -> Option<Keys>;

    /// `format` is `pkcs8` or `sec1` for private keys, `spki` for public ones.
    fn encode(&self, format: &str, bytes: &[u8]) -> Option<Vec<u8>>;

    /// Signs a digest, or for Ed25519 the message itself.
    fn sign(&self, _private: &[u8], _message: &[u8]) -> Option<Vec<u8>> {
        None
    }

    /// Whether the signature of a digest, or for Ed25519 of the message itself, is that of the key.
    fn verify(&self, _public: &[u8], _message: &[u8], _signature: &[u8]) -> Option<()> {
        None
    }

    /// What the holder of either private key finds with the other's public key.
    fn derive(&self, _private: &[u8], _public: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// The curve of that name, as keys in JSON write it.
pub fn named(name: &str) -> Option<&'static dyn Curve> {
    match name {
        "P-256" => Some(&nist::P256),
        "P-384" => Some(&nist::P384),
        "P-521" => Some(&nist::P521),
        "Ed25519" => Some(&edwards::Ed25519),
        "X25519" => Some(&montgomery::X25519),
        _ => None,
    }
}
