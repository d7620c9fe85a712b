//! P-256, P-384 and P-521.

use p256::{
    ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier},
    elliptic_curve::sec1::ToSec1Point,
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
};

use rand_chacha::rand_core::Rng;

use super::{Curve, Keys};
use crate::Generator;

/// One curve, implemented by a crate; `$bits` of the first byte of a private key may be set.
macro_rules! nist {
    ($name:ident, $nist:ident, $size:literal, $bits:literal) => {
        pub(super) struct $name;

        impl Curve for $name {
            fn key(&self, format: &str, bytes: &[u8]) -> Option<Keys> {
                let private = match format {
                    "private" => Some($nist::SecretKey::from_slice(bytes).ok()?),
                    "pkcs8" => Some($nist::SecretKey::from_pkcs8_der(bytes).ok()?),
                    "sec1" => Some($nist::SecretKey::from_sec1_der(bytes).ok()?),
                    _ => None,
                };
                let public = match (&private, format) {
                    (Some(private), _) => private.public_key(),
                    (None, "spki") => $nist::PublicKey::from_public_key_der(bytes).ok()?,
                    _ => $nist::PublicKey::from_sec1_bytes(bytes).ok()?,
                };
                let private = private.map(|private| private.to_bytes().to_vec());
                Some((private, public.to_sec1_point(false).as_bytes().to_vec()))
            }

            fn generate(&self, generator: &mut Generator) -> Option<Keys> {
                let mut private = [0; $size];
                generator.fill_bytes(&mut private);
                private[0] &= $bits;
                self.key("private", &private)
            }

            fn encode(&self, format: &str, bytes: &[u8]) -> Option<Vec<u8>> {
                match format {
                    "pkcs8" => Some($nist::SecretKey::from_slice(bytes).ok()?.to_pkcs8_der().ok()?.as_bytes().to_vec()),
                    "sec1" => Some($nist::SecretKey::from_slice(bytes).ok()?.to_sec1_der().ok()?.to_vec()),
                    _ => Some($nist::PublicKey::from_sec1_bytes(bytes).ok()?.to_public_key_der().ok()?.into_vec()),
                }
            }

            fn sign(&self, private: &[u8], message: &[u8]) -> Option<Vec<u8>> {
                let key = $nist::ecdsa::SigningKey::from_slice(private).ok()?;
                let signature: $nist::ecdsa::Signature = key.sign_prehash(message).ok()?;
                Some(signature.to_bytes().to_vec())
            }

            fn verify(&self, public: &[u8], message: &[u8], signature: &[u8]) -> Option<()> {
                let key = $nist::ecdsa::VerifyingKey::from_sec1_bytes(public).ok()?;
                key.verify_prehash(message, &$nist::ecdsa::Signature::from_slice(signature).ok()?).ok()
            }

            fn derive(&self, private: &[u8], public: &[u8]) -> Option<Vec<u8>> {
                let private = $nist::SecretKey::from_slice(private).ok()?;
                let public = $nist::PublicKey::from_sec1_bytes(public).ok()?;
                let secret = $nist::ecdh::diffie_hellman(private.to_nonzero_scalar(), public.as_affine());
                Some(secret.raw_secret_bytes().to_vec())
            }
        }
    };
}

nist!(P256, p256, 32, 0xff);
nist!(P384, p384, 48, 0xff);
nist!(P521, p521, 66, 1);
