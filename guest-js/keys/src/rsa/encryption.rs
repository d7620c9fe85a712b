//! Encryption of short messages with OAEP.

use rsa::{
    Oaep, PrivateKey, PublicKey,
    signature::digest::{Digest, FixedOutputReset},
};

use super::{Key, with_hash};
use crate::Generator;

fn seal<D: Digest + FixedOutputReset>(
    key: &PublicKey,
    generator: &mut Generator,
    data: &[u8],
    label: &[u8],
) -> Option<Vec<u8>> {
    key.encrypt(generator, Oaep::<D>::new_with_label(label), data).ok()
}

fn open<D: Digest + FixedOutputReset>(
    key: &PrivateKey,
    generator: &mut Generator,
    data: &[u8],
    label: &[u8],
) -> Option<Vec<u8>> {
    key.decrypt_blinded(generator, Oaep::<D>::new_with_label(label), data).ok()
}

impl Key {
    /// `None` if the message is too long.
    pub fn encrypt(&self, generator: &mut Generator, hash: &str, data: &[u8], label: &[u8]) -> Option<Vec<u8>> {
        let key = self.public();
        with_hash!(hash, seal(key, generator, data, label))
    }

    /// `None` if the key is not private, or the content was not encrypted for it.
    pub fn decrypt(&self, generator: &mut Generator, hash: &str, data: &[u8], label: &[u8]) -> Option<Vec<u8>> {
        let key = self.private()?;
        with_hash!(hash, open(key, generator, data, label))
    }
}
