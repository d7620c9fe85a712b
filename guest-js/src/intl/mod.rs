//! What `prelude/intl` asks for: the data of locales, and what ICU4X does with text.
//!
//! `Intl` is a module that is loaded when a program first asks for it (`lazy.rs`).

mod collation;
mod locales;
mod segments;
mod zones;

use rquickjs::{Ctx, Exception, Function, Object, Result, Value};

use crate::lazy;

/// Written by `intl/generate.mjs`: texts in JSON, each compressed by itself.
static DATA: &[u8] = include_bytes!("../../target/intl.data");

/// No text of the data is longer.
const LONGEST: usize = 1024 * 1024;

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("loadIntl", Function::new(ctx.clone(), load)?)
}

/// What `make`, which is the module's export, returns.
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

/// A piece of the data, as a value.
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
