//! Numbers, and 64-bit integers, which are `BigInt`.

use rquickjs::{BigInt, Ctx, Value};

use super::{
    encoder::{Encoder, Outcome},
    mismatch::Failure,
    shape::Number,
};
use crate::engine;

/// The largest number up to which every integer has a number of its own.
const MOST_SAFE: f64 = 9_007_199_254_740_991.0;

impl Number {
    /// The size in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::S8 => "s8",
            Self::S16 => "s16",
            Self::S32 => "s32",
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }

    fn range(self) -> (f64, f64) {
        match self {
            Self::U8 => (0.0, f64::from(u8::MAX)),
            Self::U16 => (0.0, f64::from(u16::MAX)),
            Self::U32 => (0.0, f64::from(u32::MAX)),
            Self::S8 => (f64::from(i8::MIN), f64::from(i8::MAX)),
            Self::S16 => (f64::from(i16::MIN), f64::from(i16::MAX)),
            Self::S32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
            Self::F32 | Self::F64 => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// Returns the number in the bytes. There must be enough bytes.
    pub(super) fn decode<'js>(self, ctx: &Ctx<'js>, bytes: &[u8]) -> Value<'js> {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = u64::from_le_bytes(wide);
        let number = match self {
            Self::U8 | Self::U16 | Self::U32 => bits as f64,
            Self::S8 => f64::from(bits as u8 as i8),
            Self::S16 => f64::from(bits as u16 as i16),
            Self::S32 => f64::from(bits as u32 as i32),
            Self::F32 => f64::from(f32::from_bits(bits as u32)),
            Self::F64 => f64::from_bits(bits),
        };
        if number == 0.0 && number.is_sign_negative() {
            // `new_number` would make it an integer, which has no negative zero.
            return Value::new_float(ctx.clone(), number);
        }
        Value::new_number(ctx.clone(), number)
    }
}

/// A float, or an integer of at most 32 bits.
pub(super) fn encode(encoder: &mut Encoder<'_, '_>, kind: Number, value: &Value<'_>) -> Outcome {
    let Some(number) = value.as_number() else {
        let hint = if value.is_big_int() || value.is_string() { Some("Number(value) makes one") } else { None };
        return Err(Failure::type_of(kind.name(), value, hint));
    };
    match kind {
        Number::F64 => return encoder.push(&number.to_le_bytes()),
        Number::F32 => {
            let narrow = number as f32;
            if narrow.is_infinite() && number.is_finite() {
                return Err(Failure::range("f32", value, None));
            }
            return encoder.push(&narrow.to_le_bytes());
        }
        _ => {}
    }
    let (low, high) = kind.range();
    if !(low..=high).contains(&number) {
        return Err(Failure::range(format!("{} ({low} to {high})", kind.name()), value, None));
    }
    if number.fract() != 0.0 {
        let hint = "Math.round(value) makes an integer".to_owned();
        return Err(Failure::range(kind.name(), value, Some(hint)));
    }
    // The number is in range, so the conversion is exact.
    encoder.push(&(number as i64).to_le_bytes()[..kind.size()])
}

/// `u64` and `s64`.
pub(super) fn encode_long<'js>(encoder: &mut Encoder<'_, 'js>, signed: bool, value: &Value<'js>) -> Outcome {
    let name = if signed { "s64" } else { "u64" };
    let wanted = || if signed { "s64 (-2n ** 63n to 2n ** 63n - 1n)" } else { "u64 (0n to 2n ** 64n - 1n)" };
    if let Some(big) = value.as_big_int() {
        let wrapped = big.clone().to_i64()?;
        let ctx = encoder.ctx.clone();
        let fitting = if signed { BigInt::from_i64(ctx, wrapped) } else { BigInt::from_u64(ctx, wrapped as u64) }?;
        if !engine::are_equal(encoder.ctx, value, &fitting.into_value()) {
            return Err(Failure::range(wanted(), value, None));
        }
        return encoder.push(&wrapped.to_le_bytes());
    }
    let Some(number) = value.as_number() else {
        let hint = value.is_string().then_some("BigInt(value) makes one");
        return Err(Failure::type_of(format!("{name} (a BigInt)"), value, hint));
    };
    if number.fract() != 0.0 || !(-MOST_SAFE..=MOST_SAFE).contains(&number) {
        // Infinity and NaN have no fractional part.
        let hint = match number.fract() {
            0.0 => Some("a number this large is not exact; write it as a BigInt: 1n"),
            fraction if fraction.is_nan() => None,
            _ => Some("Math.round(value) makes an integer"),
        };
        let hint = hint.map(str::to_owned);
        return Err(Failure::range(format!("{name} (a BigInt, or a safe integer)"), value, hint));
    }
    if !signed && number < 0.0 {
        return Err(Failure::range(wanted(), value, None));
    }
    encoder.push(&(number as i64).to_le_bytes())
}
