//! X25519, for shared secrets.

use rand_chacha::rand_core::Rng;
use x25519_dalek::{X25519_BASEPOINT_BYTES, x25519};

use super::{
    Curve, Keys,
    short::{self, Name, Short},
};
use crate::Generator;

pub(super) struct X25519;

fn pair(private: Short) -> Keys {
    (Some(private.to_vec()), x25519(private, X25519_BASEPOINT_BYTES).to_vec())
}

impl Curve for X25519 {
    fn key(&self, format: &str, bytes: &[u8]) -> Option<Keys> {
        match format {
            "private" => Some(pair(bytes.try_into().ok()?)),
            "pkcs8" => Some(pair(short::from_pkcs8(Name::X25519, bytes)?)),
            // Every 32 bytes are a point.
            "spki" => Some((None, short::from_spki(Name::X25519, bytes)?.to_vec())),
            "public" => Some((None, Short::try_from(bytes).ok()?.to_vec())),
            _ => None,
        }
    }

    fn generate(&self, generator: &mut Generator) -> Option<Keys> {
        let mut private = Short::default();
        generator.fill_bytes(&mut private);
        Some(pair(private))
    }

    fn encode(&self, format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        short::encode(Name::X25519, format, bytes)
    }

    fn derive(&self, private: &[u8], public: &[u8]) -> Option<Vec<u8>> {
        let secret = x25519(private.try_into().ok()?, public.try_into().ok()?);
        // A point of small order gives this result with every private key.
        (secret != Short::default()).then(|| secret.to_vec())
    }
}
