//! `isolette:sandbox/console` for `prelude/console.js` and `prelude/process.js`.

use rquickjs::{Ctx, FromJs, Function, Object, Result, TypedArray, Value};

use crate::{
    bindings::isolette::sandbox::console::{self, Stream},
    engine,
    text::Text,
};

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("write", Function::new(ctx.clone(), write)?)
}

/// Writes text, or bytes.
fn write<'js>(ctx: Ctx<'js>, to_stderr: bool, value: Value<'js>) -> Result<()> {
    let stream = if to_stderr { Stream::Stderr } else { Stream::Stdout };
    if value.is_string() {
        console::write(stream, Text::from_js(&ctx, value)?.as_bytes());
    } else {
        console::write(stream, engine::content(&TypedArray::<u8>::from_value(value)?));
    }
    Ok(())
}
