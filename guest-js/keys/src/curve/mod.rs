//! Elliptic curves. A private key is its number or seed, a public one its point, both as bytes.

mod edwards;
mod montgomery;
mod nist;
mod short;

use crate::Generator;

/// The private key, if there is one, and the public key.
pub type Keys = (Option<Vec<u8>>, Vec<u8>);

/// The operations on keys of one curve. They return `None` for invalid keys, or if the curve does not support the operation.
pub trait Curve {
    /// `format` is `private`, `public`, `pkcs8`, `spki` or `sec1`.
    fn key(&self, format: &str, bytes: &[u8]) -> Option<Keys>;

    /// Generates a private key and its public key. Not every random number is a key, but nearly all are.
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

    /// The shared secret of a private key and the public key of the peer.
    fn derive(&self, _private: &[u8], _public: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// The curve with this name, as in JSON Web Keys.
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
