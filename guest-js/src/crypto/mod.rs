//! Hashes, keys, ciphers and signatures for `prelude/node/crypto.js`, `prelude/node/subtle.js` and `prelude/node/key_pairs.js`,
//! implemented by RustCrypto.

mod cipher;
mod curve;
mod derive;
mod digest;
mod rsa;

pub(crate) use self::{digest::Running, rsa::RsaKey};
use rquickjs::{Ctx, Function, Object, Result};

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("digest", Function::new(ctx.clone(), digest::new)?)?;
    host.set("digestUpdate", Function::new(ctx.clone(), digest::update)?)?;
    host.set("digestCopy", Function::new(ctx.clone(), digest::copy)?)?;
    host.set("digestFinish", Function::new(ctx.clone(), digest::finish)?)?;
    host.set("deriveBits", Function::new(ctx.clone(), derive::bits)?)?;
    host.set("scrypt", Function::new(ctx.clone(), derive::by_scrypt)?)?;
    host.set("aes", Function::new(ctx.clone(), cipher::aes)?)?;
    curve::define(ctx, host)?;
    rsa::define(ctx, host)
}
