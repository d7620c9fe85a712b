//! Ed25519, for signatures.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use rand_chacha::rand_core::Rng;

use super::{
    Curve, Keys,
    short::{self, Name, Short},
};
use crate::Generator;

pub(super) struct Ed25519;

fn pair(private: &Short) -> Keys {
    let public = SigningKey::from_bytes(private).verifying_key();
    (Some(private.to_vec()), public.to_bytes().to_vec())
}

impl Curve for Ed25519 {
    fn key(&self, format: &str, bytes: &[u8]) -> Option<Keys> {
        let public = match format {
            "private" => return Some(pair(bytes.try_into().ok()?)),
            "pkcs8" => return Some(pair(&short::from_pkcs8(Name::Ed25519, bytes)?)),
            "spki" => short::from_spki(Name::Ed25519, bytes)?,
            "public" => bytes.try_into().ok()?,
            _ => return None,
        };
        let public = VerifyingKey::from_bytes(&public).ok()?;
        Some((None, public.to_bytes().to_vec()))
    }

    fn generate(&self, generator: &mut Generator) -> Option<Keys> {
        let mut private = Short::default();
        generator.fill_bytes(&mut private);
        Some(pair(&private))
    }

    fn encode(&self, format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        short::encode(Name::Ed25519, format, bytes)
    }

    fn sign(&self, private: &[u8], message: &[u8]) -> Option<Vec<u8>> {
        let key = SigningKey::from_bytes(private.try_into().ok()?);
        Some(key.sign(message).to_bytes().to_vec())
    }

    fn verify(&self, public: &[u8], message: &[u8], signature: &[u8]) -> Option<()> {
        let key = VerifyingKey::from_bytes(public.try_into().ok()?).ok()?;
        key.verify(message, &Signature::from_slice(signature).ok()?).ok()
    }
}
