//! What `prelude/intl` uses: the data of locales, and functions of ICU4X for text.
//!
//! `Intl` is a module that is loaded when a program first uses it (`lazy.rs`).

mod collation;
mod locales;
mod segments;
mod zones;

use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use crate::lazy;

/// Written by `intl/generate.mjs`: JSON texts, each compressed by itself.
static DATA: &[u8] = include_bytes!("../../target/intl.data");

/// The maximum length of a text in the data.
const LONGEST: usize = 1024 * 1024;

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("loadIntl", Function::new(ctx.clone(), load)?)
}

/// The value that `make`, the module's export, returns.
fn load(ctx: Ctx<'_>) -> Result<Value<'_>> {
    let native = Object::new(ctx.clone())?;
    native.set("data", Function::new(ctx.clone(), data)?)?;
    collation::define(&ctx, &native)?;
    locales::define(&ctx, &native)?;
    segments::define(&ctx, &native)?;
    zones::define(&ctx, &native)?;
    let make: Function<'_> = lazy::load(&ctx, "intl")?.get()?;
    make.call((native,))
}

/// An item of the data, as a value.
fn data<'js>(ctx: Ctx<'js>, offset: usize, length: usize) -> Result<Value<'js>> {
    let text = offset
        .checked_add(length)
        .and_then(|end| DATA.get(offset..end))
        .and_then(|bytes| miniz_oxide::inflate::decompress_to_vec_with_limit(bytes, LONGEST).ok());
    match text {
        Some(text) => ctx.json_parse(text),
        None => Err(Exception::throw_internal(&ctx, "the data of locales is damaged")),
    }
}
