//! Conversion of JavaScript strings to Rust strings.

use std::ops::Deref;

use rquickjs::{CString, Ctx, Error, Exception, FromJs, Result, Value};

/// A string of a program. Half a surrogate pair, which only JavaScript accepts as text, becomes U+FFFD.
pub(crate) struct Text<'js> {
    inner: Inner<'js>,
}

enum Inner<'js> {
    Borrowed(CString<'js>),
    Repaired(String),
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match &self.inner {
            Inner::Borrowed(string) => string.as_str(),
            Inner::Repaired(string) => string,
        }
    }
}

impl Text<'_> {
    /// A copy that outlives the engine's own. Its length depends on the program.
    pub(crate) fn copied(&self, ctx: &Ctx<'_>) -> Result<String> {
        let mut copy = String::new();
        copy.try_reserve_exact(self.len()).map_err(|_| out_of_memory(ctx))?;
        copy.push_str(self);
        Ok(copy)
    }
}

impl<'js> FromJs<'js> for Text<'js> {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let kind = value.type_name();
        let string = value.into_string().ok_or(Error::new_from_js(kind, "string"))?;
        let string = string.to_cstring().map_err(|_| out_of_memory(ctx))?;
        let bytes = crate::engine::bytes_of(&string);
        if std::str::from_utf8(bytes).is_ok() {
            return Ok(Text { inner: Inner::Borrowed(string) });
        }
        let mut copy = buffer(ctx, bytes.len())?;
        copy.extend_from_slice(bytes);
        replace_surrogates(&mut copy);
        let copy = String::from_utf8(copy).map_err(|_| Error::new_from_js("string", "text"))?;
        Ok(Text { inner: Inner::Repaired(copy) })
    }
}

/// In the engine's UTF-8 half a pair is three bytes, as long as U+FFFD.
fn replace_surrogates(bytes: &mut [u8]) {
    let mut at = 0;
    while at + 2 < bytes.len() {
        if bytes[at] == 0xed && bytes[at + 1] >= 0xa0 {
            bytes[at..at + 3].copy_from_slice("\u{fffd}".as_bytes());
            at += 3;
        } else {
            at += 1;
        }
    }
}

/// A buffer whose size depends on the program, so the allocation can fail.
pub(crate) fn buffer(ctx: &Ctx<'_>, capacity: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(capacity).map_err(|_| out_of_memory(ctx))?;
    Ok(buffer)
}

/// Throws the pending exception of the engine.
pub(crate) fn out_of_memory(ctx: &Ctx<'_>) -> Error {
    ctx.catch();
    Exception::throw_internal(ctx, "out of memory")
}
