//! Keys from passwords and from other keys.

use hkdf::SimpleHkdf;
use hmac::{
    SimpleHmac,
    digest::{Digest, block_api::BlockSizeUser},
};
use rquickjs::{Ctx, Result, TypedArray};

use super::digest::with_hash;
use crate::{
    engine,
    text::{self, Text},
};

type Bytes<'js> = TypedArray<'js, u8>;

fn pbkdf2<D: Digest + BlockSizeUser + Clone>(password: &[u8], salt: &[u8], rounds: u32, key: &mut [u8]) -> bool {
    pbkdf2::pbkdf2::<SimpleHmac<D>>(password, salt, rounds, key).is_ok()
}

fn hkdf<D: Digest + BlockSizeUser + Clone>(secret: &[u8], salt: &[u8], info: &[u8], key: &mut [u8]) -> bool {
    SimpleHkdf::<D>::new(Some(salt), secret).expand(info, key).is_ok()
}

/// Uses PBKDF2 with `rounds`, otherwise HKDF. `None` for an unknown hash or an invalid length of the key.
pub(super) fn bits<'js>(
    ctx: Ctx<'js>,
    hash: Text<'js>,
    secret: Bytes<'js>,
    salt: Bytes<'js>,
    info: Bytes<'js>,
    rounds: u32,
    length: usize,
) -> Result<Option<Bytes<'js>>> {
    let mut key = text::buffer(&ctx, length)?;
    key.resize(length, 0);
    let (secret, salt, info) = (engine::content(&secret), engine::content(&salt), engine::content(&info));
    let derived = if rounds > 0 {
        with_hash!(&*hash, pbkdf2(secret, salt, rounds, &mut key))
    } else {
        with_hash!(&*hash, hkdf(secret, salt, info, &mut key))
    };
    if derived == Some(true) { TypedArray::new(ctx, key).map(Some) } else { Ok(None) }
}

/// `cost` is the logarithm of N. `None` for invalid parameters.
pub(super) fn by_scrypt<'js>(
    ctx: Ctx<'js>,
    password: Bytes<'js>,
    salt: Bytes<'js>,
    cost: u8,
    block: u32,
    parallel: u32,
    length: usize,
) -> Result<Option<Bytes<'js>>> {
    // The memory that the function allocates must be available, because the guest would end otherwise.
    let work = (128_usize << cost.min(24)).saturating_mul(block as usize);
    drop(text::buffer(&ctx, work.saturating_add(128 * block as usize * parallel as usize))?);
    let mut key = text::buffer(&ctx, length)?;
    key.resize(length, 0);
    let derived = scrypt::Params::new(cost, block, parallel)
        .ok()
        .and_then(|params| scrypt::scrypt(engine::content(&password), engine::content(&salt), &params, &mut key).ok());
    if derived.is_some() { TypedArray::new(ctx, key).map(Some) } else { Ok(None) }
}
