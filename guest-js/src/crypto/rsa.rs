//! RSA, implemented by `guest-js-keys`. The engine holds a key as an object.

use guest_js_keys::rsa::{Key, Refusal, WORK};
use rquickjs::{
    Array, Class, Ctx, Function, IntoJs, Object, Result, TypedArray, Value,
    class::{JsClass, Readable, Trace, Tracer},
    function::Constructor,
};

use crate::{
    engine, random,
    text::{self, Text},
};

type Bytes<'js> = TypedArray<'js, u8>;

pub(super) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("rsaRead", Function::new(ctx.clone(), read)?)?;
    host.set("rsaMake", Function::new(ctx.clone(), make)?)?;
    host.set("rsaPublic", Function::new(ctx.clone(), public)?)?;
    host.set("rsaParts", Function::new(ctx.clone(), parts)?)?;
    host.set("rsaWrite", Function::new(ctx.clone(), write)?)?;
    host.set("rsaGenerate", Function::new(ctx.clone(), generate)?)?;
    host.set("rsaSign", Function::new(ctx.clone(), sign)?)?;
    host.set("rsaVerify", Function::new(ctx.clone(), verify)?)?;
    host.set("rsaEncrypt", Function::new(ctx.clone(), encrypt)?)?;
    host.set("rsaDecrypt", Function::new(ctx.clone(), decrypt)?)
}

/// The engine's object for a key.
pub(crate) struct RsaKey(Key);

impl<'js> Trace<'js> for RsaKey {
    fn trace<'a>(&self, _: Tracer<'a, 'js>) {}
}

impl<'js> JsClass<'js> for RsaKey {
    const NAME: &'static str = "RsaKey";

    type Mutable = Readable;

    fn prototype(_: &Ctx<'js>) -> Result<Option<Object<'js>>> {
        Ok(None)
    }

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

/// Throws if there is too little memory to use a key, because the library would end the guest.
fn ensure_memory(ctx: &Ctx<'_>, content: usize) -> Result<()> {
    text::buffer(ctx, content.saturating_add(WORK)).map(drop)
}

fn bytes<'js>(ctx: Ctx<'js>, content: Option<Vec<u8>>) -> Result<Option<Bytes<'js>>> {
    content.map(|content| Bytes::new(ctx, content)).transpose()
}

/// Returns the key; or the number of bits of the modulus if its size is not allowed; or `None` if it is not a key.
fn found<'js>(ctx: Ctx<'js>, key: std::result::Result<Key, Refusal>) -> Result<Value<'js>> {
    match key {
        Ok(key) => Class::instance(ctx.clone(), RsaKey(key))?.into_js(&ctx),
        Err(Refusal::Size(bits)) => bits.into_js(&ctx),
        Err(Refusal::Invalid) => Ok(Value::new_null(ctx)),
    }
}

fn read<'js>(ctx: Ctx<'js>, format: Text<'js>, der: Bytes<'js>) -> Result<Value<'js>> {
    ensure_memory(&ctx, 0)?;
    let key = Key::read(&format, engine::content(&der));
    found(ctx, key)
}

/// Makes a key from the numbers of `Key::from_parts`.
fn make<'js>(ctx: Ctx<'js>, parts: Vec<Bytes<'js>>) -> Result<Value<'js>> {
    ensure_memory(&ctx, 0)?;
    let parts: Vec<&[u8]> = parts.iter().map(engine::content).collect();
    found(ctx, Key::from_parts(&parts))
}

fn public<'js>(ctx: Ctx<'js>, key: Class<'js, RsaKey>) -> Result<Class<'js, RsaKey>> {
    let public = RsaKey(key.borrow().0.to_public());
    Class::instance(ctx, public)
}

fn parts<'js>(ctx: Ctx<'js>, key: Class<'js, RsaKey>) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    for (index, number) in key.borrow().0.parts().into_iter().enumerate() {
        array.set(index, Bytes::new(ctx.clone(), number)?)?;
    }
    Ok(array)
}

fn write<'js>(ctx: Ctx<'js>, key: Class<'js, RsaKey>, format: Text<'js>) -> Result<Option<Bytes<'js>>> {
    ensure_memory(&ctx, 0)?;
    let der = key.borrow().0.write(&format);
    bytes(ctx, der)
}

fn generate(ctx: Ctx<'_>, bits: usize, exponent: u32) -> Result<Option<Class<'_, RsaKey>>> {
    ensure_memory(&ctx, 0)?;
    let key = random::secure(|generator| Key::generate(generator, bits, exponent));
    key.map(|key| Class::instance(ctx, RsaKey(key))).transpose()
}

fn sign<'js>(
    ctx: Ctx<'js>,
    key: Class<'js, RsaKey>,
    hash: Text<'js>,
    digest: Bytes<'js>,
    salt: Option<usize>,
) -> Result<Option<Bytes<'js>>> {
    ensure_memory(&ctx, 0)?;
    let digest = engine::content(&digest);
    let signature = random::secure(|generator| key.borrow().0.sign(generator, &hash, digest, salt));
    bytes(ctx, signature)
}

fn verify<'js>(
    ctx: Ctx<'js>,
    key: Class<'js, RsaKey>,
    hash: Text<'js>,
    digest: Bytes<'js>,
    signature: Bytes<'js>,
    is_pss: bool,
    salt: Option<usize>,
) -> Result<bool> {
    ensure_memory(&ctx, 0)?;
    let (digest, signature) = (engine::content(&digest), engine::content(&signature));
    Ok(key.borrow().0.verify(&hash, digest, signature, is_pss, salt))
}

fn encrypt<'js>(
    ctx: Ctx<'js>,
    key: Class<'js, RsaKey>,
    hash: Text<'js>,
    data: Bytes<'js>,
    label: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let (data, label) = (engine::content(&data), engine::content(&label));
    ensure_memory(&ctx, label.len())?;
    let content = random::secure(|generator| key.borrow().0.encrypt(generator, &hash, data, label));
    bytes(ctx, content)
}

fn decrypt<'js>(
    ctx: Ctx<'js>,
    key: Class<'js, RsaKey>,
    hash: Text<'js>,
    data: Bytes<'js>,
    label: Bytes<'js>,
) -> Result<Option<Bytes<'js>>> {
    let (data, label) = (engine::content(&data), engine::content(&label));
    ensure_memory(&ctx, label.len())?;
    let content = random::secure(|generator| key.borrow().0.decrypt(generator, &hash, data, label));
    bytes(ctx, content)
}
