//! Signatures of digests with PKCS #1 v1.5 and PSS.

use rsa::{
    Pkcs1v15Sign, PrivateKey, Pss, PublicKey,
    pkcs8::AssociatedOid,
    signature::digest::{Digest, FixedOutputReset},
};

use super::{BITS, Key, with_hash};
use crate::Generator;

fn plain<D: Digest + AssociatedOid>(key: &PrivateKey, generator: &mut Generator, digest: &[u8]) -> Option<Vec<u8>> {
    key.sign_with_rng(generator, Pkcs1v15Sign::new::<D>(), digest).ok()
}

fn salted<D: Digest + FixedOutputReset>(
    key: &PrivateKey,
    generator: &mut Generator,
    digest: &[u8],
    salt: usize,
) -> Option<Vec<u8>> {
    key.sign_with_rng(generator, Pss::<D>::new_with_salt(salt), digest).ok()
}

fn is_plain<D: Digest + AssociatedOid>(key: &PublicKey, digest: &[u8], signature: &[u8]) -> Option<()> {
    key.verify(Pkcs1v15Sign::new::<D>(), digest, signature).ok()
}

fn is_salted<D: Digest + FixedOutputReset>(
    key: &PublicKey,
    digest: &[u8],
    signature: &[u8],
    salt: Option<usize>,
) -> Option<()> {
    key.verify(Pss::<D> { blinded: true, digest: D::new(), salt_len: salt }, digest, signature).ok()
}

impl Key {
    /// Uses PSS if there is a length of the salt. `None` if the key is not private, or too short.
    pub fn sign(&self, generator: &mut Generator, hash: &str, digest: &[u8], salt: Option<usize>) -> Option<Vec<u8>> {
        let key = self.private()?;
        match salt {
            None => with_hash!(hash, plain(key, generator, digest)),
            // The library allocates the salt before it compares the lengths.
            Some(salt) if salt > BITS.end() / 8 => None,
            Some(salt) => with_hash!(hash, salted(key, generator, digest, salt)),
        }
    }

    /// Uses PSS if `is_pss`, with a salt of any length if none is given.
    pub fn verify(&self, hash: &str, digest: &[u8], signature: &[u8], is_pss: bool, salt: Option<usize>) -> bool {
        let key = self.public();
        let verified = if is_pss {
            with_hash!(hash, is_salted(key, digest, signature, salt))
        } else {
            with_hash!(hash, is_plain(key, digest, signature))
        };
        verified.is_some()
    }
}
