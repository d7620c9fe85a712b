//! Hashes, keys, ciphers and signatures for `prelude/node/crypto.js` and `prelude/node/subtle.js`: what RustCrypto does.

mod cipher;
mod curve;
mod derive;
mod digest;

pub(crate) use self::digest::Running;
use rquickjs::{Ctx, Function, Object, Result};

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("digest", Function::new(ctx.clone(), digest::new)?)?;
    host.set("digestUpdate", Function::new(ctx.clone(), digest::update)?)?;
    host.set("digestCopy", Function::new(ctx.clone(), digest::copy)?)?;
    host.set("digestFinish", Function::new(ctx.clone(), digest::finish)?)?;
    host.set("deriveBits", Function::new(ctx.clone(), derive::bits)?)?;
    host.set("scrypt", Function::new(ctx.clone(), derive::by_scrypt)?)?;
    host.set("aes", Function::new(ctx.clone(), cipher::aes)?)?;
    host.set("curveKey", Function::new(ctx.clone(), curve::key)?)?;
    host.set("curveEncode", Function::new(ctx.clone(), curve::encode)?)?;
    host.set("curveSign", Function::new(ctx.clone(), curve::sign)?)?;
    host.set("curveVerify", Function::new(ctx.clone(), curve::verify)?)?;
    host.set("curveDerive", Function::new(ctx.clone(), curve::shared_secret)?)
}
