//! Elliptic curves, implemented by `guest-js-keys`. A private key is its number or seed, a public one its point.

use guest_js_keys::curve::{self, Keys};
use rquickjs::{Array, Ctx, Function, Object, Result, TypedArray};

use crate::{engine, random, text::Text};

type Bytes<'js> = TypedArray<'js, u8>;

pub(super) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("curveKey", Function::new(ctx.clone(), key)?)?;
    host.set("curveGenerate", Function::new(ctx.clone(), generate)?)?;
    host.set("curveEncode", Function::new(ctx.clone(), encode)?)?;
    host.set("curveSign", Function::new(ctx.clone(), sign)?)?;
    host.set("curveVerify", Function::new(ctx.clone(), verify)?)?;
    host.set("curveDerive", Function::new(ctx.clone(), derive)?)
}

fn pair<'js>(ctx: Ctx<'js>, (private, public): Keys) -> Result<Array<'js>> {
    let pair = Array::new(ctx.clone())?;
    pair.set(0, private.map(|private| Bytes::new(ctx.clone(), private)).transpose()?)?;
    pair.set(1, Bytes::new(ctx, public)?)?;
    Ok(pair)
}

fn key<'js>(ctx: Ctx<'js>, name: Text<'js>, format: Text<'js>, bytes: Bytes<'js>) -> Result<Option<Array<'js>>> {
    let keys = curve::named(&name).and_then(|curve| curve.key(&format, engine::content(&bytes)));
    keys.map(|keys| pair(ctx, keys)).transpose()
}

fn generate<'js>(ctx: Ctx<'js>, name: Text<'js>) -> Result<Option<Array<'js>>> {
    let keys = curve::named(&name).map(|curve| {
        random::secure(|generator| {
            loop {
                if let Some(keys) = curve.generate(generator) {
                    return keys;
                }
            }
        })
    });
    keys.map(|keys| pair(ctx, keys)).transpose()
}

fn encode<'js>(ctx: Ctx<'js>, name: Text<'js>, format: Text<'js>, bytes: Bytes<'js>) -> Result<Option<Bytes<'js>>> {
    let encoded = curve::named(&name).and_then(|curve| curve.encode(&format, engine::content(&bytes)));
    encoded.map(|encoded| Bytes::new(ctx, encoded)).transpose()
}

fn sign<'js>(ctx: Ctx<'js>, name: Text<'js>, private: Bytes<'js>, message: Bytes<'js>) -> Result<Option<Bytes<'js>>> {
    let (private, message) = (engine::content(&private), engine::content(&message));
    let signature = curve::named(&name).and_then(|curve| curve.sign(private, message));
    signature.map(|signature| Bytes::new(ctx, signature)).transpose()
}

fn verify<'js>(name: Text<'js>, public: Bytes<'js>, message: Bytes<'js>, signature: Bytes<'js>) -> bool {
    let (public, message, signature) =
        (engine::content(&public), engine::content(&message), engine::content(&signature));
    curve::named(&name).and_then(|curve| curve.verify(public, message, signature)).is_some()
}

fn derive<'js>(ctx: Ctx<'js>, name: Text<'js>, private: Bytes<'js>, public: Bytes<'js>) -> Result<Option<Bytes<'js>>> {
    let (private, public) = (engine::content(&private), engine::content(&public));
    let secret = curve::named(&name).and_then(|curve| curve.derive(private, public));
    secret.map(|secret| Bytes::new(ctx, secret)).transpose()
}
