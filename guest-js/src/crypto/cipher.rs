//! AES, in the modes that programs use.

use aes::{Aes128, Aes192, Aes256};
use aes_gcm::{
    AesGcm,
    aead::{
        Aead, Payload,
        consts::{U12, U16},
    },
};
use cbc::cipher::{
    BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher,
    block_padding::{NoPadding, Pkcs7},
};
use rquickjs::{Ctx, Result, TypedArray};

use crate::{
    engine,
    text::{self, Text},
};

type Bytes<'js> = TypedArray<'js, u8>;

/// Calls a block with `C` for the cipher for the length of the key.
macro_rules! by_key {
    ($key:expr, $cipher:ident => $body:expr) => {
        match $key.len() {
            16 => {
                type $cipher = Aes128;
                $body
            }
            24 => {
                type $cipher = Aes192;
                $body
            }
            32 => {
                type $cipher = Aes256;
                $body
            }
            _ => None,
        }
    };
}

macro_rules! gcm {
    ($size:ty, $encrypts:expr, $key:expr, $iv:expr, $payload:expr) => {
        by_key!($key, C => {
            let cipher = AesGcm::<C, $size>::new_from_slice($key).ok()?;
            let nonce = $iv.try_into().ok()?;
            if $encrypts { cipher.encrypt(nonce, $payload).ok() } else { cipher.decrypt(nonce, $payload).ok() }
        })
    };
}

fn galois(encrypts: bool, key: &[u8], iv: &[u8], data: &[u8], extra: &[u8]) -> Option<Vec<u8>> {
    let payload = Payload { msg: data, aad: extra };
    match iv.len() {
        12 => gcm!(U12, encrypts, key, iv, payload),
        16 => gcm!(U16, encrypts, key, iv, payload),
        _ => None,
    }
}

fn chained(encrypts: bool, key: &[u8], iv: &[u8], data: &[u8], pads: bool) -> Option<Vec<u8>> {
    by_key!(key, C => match (encrypts, pads) {
        (true, true) => {
            Some(cbc::Encryptor::<C>::new_from_slices(key, iv).ok()?.encrypt_padded_vec::<Pkcs7>(data))
        }
        (true, false) if data.len().is_multiple_of(16) => {
            Some(cbc::Encryptor::<C>::new_from_slices(key, iv).ok()?.encrypt_padded_vec::<NoPadding>(data))
        }
        (true, false) => None,
        (false, true) => cbc::Decryptor::<C>::new_from_slices(key, iv).ok()?.decrypt_padded_vec::<Pkcs7>(data).ok(),
        (false, false) => {
            cbc::Decryptor::<C>::new_from_slices(key, iv).ok()?.decrypt_padded_vec::<NoPadding>(data).ok()
        }
    })
}

fn counted(key: &[u8], iv: &[u8], data: &[u8]) -> Option<Vec<u8>> {
    by_key!(key, C => {
        let mut content = data.to_vec();
        ctr::Ctr128BE::<C>::new_from_slices(key, iv).ok()?.try_apply_keystream(&mut content).ok()?;
        Some(content)
    })
}

/// `mode` is `gcm` (with a tag of 16 bytes after the content), `cbc`, `cbc-bare` (without padding) or `ctr`. `None` if a length
/// is invalid, or if the decrypted content is not authentic.
pub(super) fn aes<'js>(
    ctx: Ctx<'js>,
    mode: Text<'js>,
    encrypts: bool,
    key: Bytes<'js>,
    iv: Bytes<'js>,
    data: Bytes<'js>,
    extra: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let (key, iv, data, extra) =
        (engine::content(&key), engine::content(&iv), engine::content(&data), engine::content(&extra));
    // The libraries allocate this much, and would end the guest if it is not available.
    drop(text::buffer(&ctx, data.len() + 32)?);
    let outcome = match &*mode {
        "gcm" => galois(encrypts, key, iv, data, extra),
        "cbc" => chained(encrypts, key, iv, data, true),
        "cbc-bare" => chained(encrypts, key, iv, data, false),
        "ctr" => counted(key, iv, data),
        _ => None,
    };
    outcome.map(|content| TypedArray::new(ctx, content)).transpose()
}
