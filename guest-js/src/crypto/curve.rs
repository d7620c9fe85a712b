//! Elliptic curves: P-256, P-384 and Ed25519. A private key is its number or seed, a public one its point.

use ed25519_dalek::{Signer, Verifier};
use p256::{
    ecdsa::signature::hazmat::{PrehashSigner, PrehashVerifier},
    pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey},
};
use rquickjs::{Array, Ctx, Result, TypedArray};

use crate::{engine, text::Text};

type Bytes<'js> = TypedArray<'js, u8>;

/// Calls a block with `curve` for the crate of a curve of the NIST.
macro_rules! nist {
    ($name:expr, $curve:ident => $body:expr) => {
        match $name {
            "P-256" => {
                use p256 as $curve;
                $body
            }
            "P-384" => {
                use p384 as $curve;
                $body
            }
            _ => None,
        }
    };
}

/// The private key, if it is one, and the public key. `format` is `private`, `public`, `pkcs8` or `spki`. Nothing if this is
/// no key.
pub(super) fn key<'js>(
    ctx: Ctx<'js>,
    curve: Text<'js>,
    format: Text<'js>,
    bytes: Bytes<'js>,
) -> Result<Option<Array<'js>>> {
    let bytes = engine::content(&bytes);
    let keys = if &*curve == "Ed25519" { edwards_key(&format, bytes) } else { nist_key(&curve, &format, bytes) };
    let Some((private, public)) = keys else { return Ok(None) };
    let pair = Array::new(ctx.clone())?;
    pair.set(0, private.map(|private| Bytes::new(ctx.clone(), private)).transpose()?)?;
    pair.set(1, Bytes::new(ctx, public)?)?;
    Ok(Some(pair))
}

type Keys = (Option<Vec<u8>>, Vec<u8>);

fn nist_key(curve: &str, format: &str, bytes: &[u8]) -> Option<Keys> {
    nist!(curve, nist => {
        let private = match format {
            "private" => Some(nist::SecretKey::from_slice(bytes).ok()?),
            "pkcs8" => Some(nist::SecretKey::from_pkcs8_der(bytes).ok()?),
            _ => None,
        };
        let public = match (&private, format) {
            (Some(private), _) => private.public_key(),
            (None, "spki") => nist::PublicKey::from_public_key_der(bytes).ok()?,
            _ => nist::PublicKey::from_sec1_bytes(bytes).ok()?,
        };
        let private = private.map(|private| private.to_bytes().to_vec());
        Some((private, nist::elliptic_curve::sec1::ToSec1Point::to_sec1_point(&public, false).as_bytes().to_vec()))
    })
}

fn edwards_key(format: &str, bytes: &[u8]) -> Option<Keys> {
    use ed25519_dalek::{SigningKey, VerifyingKey};
    let private = match format {
        "private" => Some(SigningKey::from_bytes(bytes.try_into().ok()?)),
        "pkcs8" => Some(SigningKey::from_pkcs8_der(bytes).ok()?),
        _ => None,
    };
    let public = match (&private, format) {
        (Some(private), _) => private.verifying_key(),
        (None, "spki") => VerifyingKey::from_public_key_der(bytes).ok()?,
        _ => VerifyingKey::from_bytes(bytes.try_into().ok()?).ok()?,
    };
    Some((private.map(|private| private.to_bytes().to_vec()), public.to_bytes().to_vec()))
}

/// A private key as PKCS #8, a public one as SPKI.
pub(super) fn encode<'js>(
    ctx: Ctx<'js>,
    curve: Text<'js>,
    is_private: bool,
    bytes: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let bytes = engine::content(&bytes);
    let encoded =
        if &*curve == "Ed25519" { edwards_encode(is_private, bytes) } else { nist_encode(&curve, is_private, bytes) };
    encoded.map(|encoded| Bytes::new(ctx, encoded)).transpose()
}

fn nist_encode(curve: &str, is_private: bool, bytes: &[u8]) -> Option<Vec<u8>> {
    nist!(curve, nist => if is_private {
        Some(nist::SecretKey::from_slice(bytes).ok()?.to_pkcs8_der().ok()?.as_bytes().to_vec())
    } else {
        Some(nist::PublicKey::from_sec1_bytes(bytes).ok()?.to_public_key_der().ok()?.as_bytes().to_vec())
    })
}

fn edwards_encode(is_private: bool, bytes: &[u8]) -> Option<Vec<u8>> {
    // Of PKCS #8 there are two versions; this is the first, without the public key, as everybody writes it.
    const PRIVATE: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    const PUBLIC: [u8; 12] = [0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0];
    Some([if is_private { &PRIVATE[..] } else { &PUBLIC[..] }, bytes].concat())
}

/// Signs a digest, or for Ed25519 the message itself.
pub(super) fn sign<'js>(
    ctx: Ctx<'js>,
    curve: Text<'js>,
    private: Bytes<'js>,
    message: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let (private, message) = (engine::content(&private), engine::content(&message));
    let signature = match &*curve {
        "Ed25519" => private
            .try_into()
            .ok()
            .map(|seed| ed25519_dalek::SigningKey::from_bytes(seed).sign(message).to_bytes().to_vec()),
        _ => nist_sign(&curve, private, message),
    };
    signature.map(|signature| Bytes::new(ctx, signature)).transpose()
}

fn nist_sign(curve: &str, private: &[u8], digest: &[u8]) -> Option<Vec<u8>> {
    nist!(curve, nist => {
        let key = nist::ecdsa::SigningKey::from_slice(private).ok()?;
        let signature: nist::ecdsa::Signature = key.sign_prehash(digest).ok()?;
        Some(signature.to_bytes().to_vec())
    })
}

/// Whether the signature of a digest, or for Ed25519 of the message itself, is that of the key.
pub(super) fn verify<'js>(curve: Text<'js>, public: Bytes<'js>, message: Bytes<'js>, signature: Bytes<'js>) -> bool {
    let (public, message, signature) =
        (engine::content(&public), engine::content(&message), engine::content(&signature));
    let verified = match &*curve {
        "Ed25519" => edwards_verify(public, message, signature),
        _ => nist_verify(&curve, public, message, signature),
    };
    verified.is_some()
}

fn edwards_verify(public: &[u8], message: &[u8], signature: &[u8]) -> Option<()> {
    let key = ed25519_dalek::VerifyingKey::from_bytes(public.try_into().ok()?).ok()?;
    key.verify(message, &ed25519_dalek::Signature::from_slice(signature).ok()?).ok()
}

fn nist_verify(curve: &str, public: &[u8], digest: &[u8], signature: &[u8]) -> Option<()> {
    nist!(curve, nist => {
        let key = nist::ecdsa::VerifyingKey::from_sec1_bytes(public).ok()?;
        key.verify_prehash(digest, &nist::ecdsa::Signature::from_slice(signature).ok()?).ok()
    })
}

/// What the holder of either private key finds with the other's public key.
pub(super) fn shared_secret<'js>(
    ctx: Ctx<'js>,
    curve: Text<'js>,
    private: Bytes<'js>,
    public: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let secret = diffie_hellman(&curve, engine::content(&private), engine::content(&public));
    secret.map(|secret| Bytes::new(ctx, secret)).transpose()
}

fn diffie_hellman(curve: &str, private: &[u8], public: &[u8]) -> Option<Vec<u8>> {
    nist!(curve, nist => {
        let private = nist::SecretKey::from_slice(private).ok()?;
        let public = nist::PublicKey::from_sec1_bytes(public).ok()?;
        let secret = nist::ecdh::diffie_hellman(private.to_nonzero_scalar(), public.as_affine());
        Some(secret.raw_secret_bytes().to_vec())
    })
}
