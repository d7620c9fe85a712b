//! Text and bytes for `prelude/encoding.js`.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use encoding_rs::Encoding;
use rquickjs::{Ctx, Function, Object, Result, String as JsString, TypedArray};

use crate::engine;
use crate::text::{self, Text};

/// The variant of `atob`: with or without padding, and with any unused bits in the last character.
const FORGIVING: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

pub(crate) fn define<'js>(ctx: &Ctx<'js>, host: &Object<'js>) -> Result<()> {
    host.set("encodeText", Function::new(ctx.clone(), encode_text)?)?;
    host.set("decodeText", Function::new(ctx.clone(), decode_text)?)?;
    host.set("encodingName", Function::new(ctx.clone(), encoding_name)?)?;
    host.set("encodeBase64", Function::new(ctx.clone(), encode_base64)?)?;
    host.set("decodeBase64", Function::new(ctx.clone(), decode_base64)?)
}

fn encode_text<'js>(ctx: Ctx<'js>, string: Text<'js>) -> Result<TypedArray<'js, u8>> {
    let mut bytes = text::buffer(&ctx, string.len())?;
    bytes.extend_from_slice(string.as_bytes());
    TypedArray::new(ctx, bytes)
}

/// Returns the text, or `null` if `fatal` and the bytes are malformed. A byte order mark is dropped unless `keep_mark`.
fn decode_text<'js>(
    ctx: Ctx<'js>,
    bytes: TypedArray<'js, u8>,
    label: Text<'js>,
    fatal: bool,
    keep_mark: bool,
) -> Result<Option<JsString<'js>>> {
    let bytes = engine::content(&bytes);
    let Some(encoding) = Encoding::for_label(label.as_bytes()) else { return Ok(None) };
    let (decoded, malformed) =
        if keep_mark { encoding.decode_without_bom_handling(bytes) } else { encoding.decode_with_bom_removal(bytes) };
    if fatal && malformed { Ok(None) } else { JsString::from_str(ctx, &decoded).map(Some) }
}

/// The name of an encoding with this label in the standard.
fn encoding_name(label: Text<'_>) -> Option<String> {
    Encoding::for_label(label.as_bytes()).map(|encoding| encoding.name().to_ascii_lowercase())
}

fn encode_base64<'js>(ctx: Ctx<'js>, bytes: TypedArray<'js, u8>) -> Result<JsString<'js>> {
    let bytes = engine::content(&bytes);
    let mut encoded = text::buffer(&ctx, bytes.len() / 3 * 4 + 4)?;
    encoded.resize(bytes.len() / 3 * 4 + 4, 0);
    let length = FORGIVING.encode_slice(bytes, &mut encoded).unwrap_or_default();
    JsString::from_str(ctx, std::str::from_utf8(&encoded[..length]).unwrap_or_default())
}

/// Returns the bytes, or `null` if `string` is not base64.
fn decode_base64<'js>(ctx: Ctx<'js>, string: Text<'js>) -> Result<Option<TypedArray<'js, u8>>> {
    let mut bytes = text::buffer(&ctx, string.len())?;
    match FORGIVING.decode_vec(string.as_bytes(), &mut bytes) {
        Ok(()) => TypedArray::new(ctx, bytes).map(Some),
        Err(_) => Ok(None),
    }
}
