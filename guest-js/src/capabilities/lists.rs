//! Lists: arrays, and typed arrays for numbers, which are copied as a whole.

use rquickjs::{Array, ArrayBuffer, TypedArray, Value};

use super::{
    decoder::{Broken, Decoder},
    encoder::{Encoder, Outcome},
    mismatch::Failure,
    shape::{Number, Shape},
};
use crate::{engine, hooks, text};

// The trait of the elements of typed arrays is not public in `rquickjs`.

macro_rules! copy {
    ($number:ty, $encoder:ident, $value:ident) => {{
        let array = $value.as_object()?.as_typed_array::<$number>()?;
        let bytes = engine::content(array);
        Some($encoder.push_length(bytes.len() / size_of::<$number>()).and_then(|()| $encoder.push(bytes)))
    }};
}

macro_rules! numbers {
    ($number:ty, $decoder:ident, $count:ident) => {{
        let buffer = buffer($decoder, $count, size_of::<$number>())?;
        Ok(TypedArray::<$number>::from_arraybuffer(buffer)?.into_value())
    }};
}

/// Encodes an array or an iterable.
pub(super) fn encode<'js>(encoder: &mut Encoder<'_, 'js>, item: &Shape, value: Value<'js>) -> Outcome {
    if let Some(done) = content(encoder, item, &value) {
        return done;
    }
    let array = match value.as_array() {
        Some(array) => array.clone(),
        None if value.is_object() => match hooks::items(encoder.ctx, value.clone())? {
            Some(array) => array,
            None => return Err(Failure::type_of("a list (an array or an iterable)", &value, None)),
        },
        None => {
            let hint = value.is_string().then_some("[value] is a list of one");
            return Err(Failure::type_of("a list (an array or an iterable)", &value, hint));
        }
    };
    let start = encoder.position();
    encoder.push_length(0)?;
    let mut index = 0;
    // A getter of the program may change its length.
    while index < array.len() {
        let value = array.get(index)?;
        encoder.encode(item, value).map_err(|failure| failure.inside(|| format!("[{index}]")))?;
        index += 1;
    }
    encoder.correct_length(start, index);
    Ok(())
}

/// Returns the bytes of a typed array of exactly this type.
fn content(encoder: &mut Encoder<'_, '_>, item: &Shape, value: &Value<'_>) -> Option<Outcome> {
    if !value.is_object() || value.is_array() {
        return None;
    }
    match item {
        Shape::Number(Number::U8) => copy!(u8, encoder, value),
        Shape::Number(Number::U16) => copy!(u16, encoder, value),
        Shape::Number(Number::U32) => copy!(u32, encoder, value),
        Shape::Number(Number::S8) => copy!(i8, encoder, value),
        Shape::Number(Number::S16) => copy!(i16, encoder, value),
        Shape::Number(Number::S32) => copy!(i32, encoder, value),
        Shape::Number(Number::F32) => copy!(f32, encoder, value),
        Shape::Number(Number::F64) => copy!(f64, encoder, value),
        Shape::U64 => copy!(u64, encoder, value),
        Shape::S64 => copy!(i64, encoder, value),
        _ => None,
    }
}

/// Decodes a typed array of numbers, or an array of other values.
pub(super) fn decode<'js>(decoder: &mut Decoder<'_, 'js>, item: &Shape) -> Result<Value<'js>, Broken> {
    let count = decoder.length()?;
    match item {
        Shape::Number(Number::U8) => numbers!(u8, decoder, count),
        Shape::Number(Number::U16) => numbers!(u16, decoder, count),
        Shape::Number(Number::U32) => numbers!(u32, decoder, count),
        Shape::Number(Number::S8) => numbers!(i8, decoder, count),
        Shape::Number(Number::S16) => numbers!(i16, decoder, count),
        Shape::Number(Number::S32) => numbers!(i32, decoder, count),
        Shape::Number(Number::F32) => numbers!(f32, decoder, count),
        Shape::Number(Number::F64) => numbers!(f64, decoder, count),
        Shape::U64 => numbers!(u64, decoder, count),
        Shape::S64 => numbers!(i64, decoder, count),
        _ => {
            let array = Array::new(decoder.ctx.clone())?;
            for index in 0..count {
                array.set(index, decoder.decode(item)?)?;
            }
            Ok(array.into_value())
        }
    }
}

/// Returns the bytes of a number of elements, in memory of the engine.
fn buffer<'js>(decoder: &mut Decoder<'_, 'js>, count: usize, size: usize) -> Result<ArrayBuffer<'js>, Broken> {
    let bytes = decoder.take(count.saturating_mul(size))?;
    let mut copy = text::buffer(decoder.ctx, bytes.len())?;
    copy.extend_from_slice(bytes);
    Ok(ArrayBuffer::new(decoder.ctx.clone(), copy)?)
}
