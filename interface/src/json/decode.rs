//! Conversion of encoded values to JSON.

use isolette_abi::value::{Decode as _, Decoder, InvalidValue, flags_size};
use serde_json::{Map, Value};

use super::single;
use crate::{Interface, Kind, Type};

impl Interface {
    /// Decodes the next value of type `kind` as JSON.
    ///
    /// # Errors
    /// [`InvalidValue`] if the bytes are not a value of the type.
    pub fn decode_json(&self, kind: &Type, decoder: &mut Decoder<'_>) -> Result<Value, InvalidValue> {
        let context = &();
        Ok(match kind {
            Type::Bool => bool::decode(decoder, context)?.into(),
            Type::U8 => u8::decode(decoder, context)?.into(),
            Type::U16 => u16::decode(decoder, context)?.into(),
            Type::U32 | Type::Own(_) | Type::Borrow(_) => u32::decode(decoder, context)?.into(),
            Type::U64 => u64::decode(decoder, context)?.into(),
            Type::S8 => i8::decode(decoder, context)?.into(),
            Type::S16 => i16::decode(decoder, context)?.into(),
            Type::S32 => i32::decode(decoder, context)?.into(),
            Type::S64 => i64::decode(decoder, context)?.into(),
            Type::F32 => number(f32::decode(decoder, context)?.into()),
            Type::F64 => number(f64::decode(decoder, context)?),
            Type::Char => char::decode(decoder, context)?.to_string().into(),
            Type::String => String::decode(decoder, context)?.into(),
            Type::List(element) => {
                let count = decoder.length()?;
                let mut values = Vec::new();
                for _ in 0..count {
                    let remaining = decoder.remaining();
                    values.push(self.decode_json(element, decoder)?);
                    decoder.end_element(remaining)?;
                }
                values.into()
            }
            Type::Option(some) => match decoder.discriminant(2)? {
                0 => Value::Null,
                _ if self.is_option(some) => single("some", self.decode_json(some, decoder)?),
                _ => self.decode_json(some, decoder)?,
            },
            Type::Tuple(kinds) => {
                kinds.iter().map(|kind| self.decode_json(kind, decoder)).collect::<Result<Vec<_>, _>>()?.into()
            }
            Type::Result { ok, error } => {
                let (name, kind) = if decoder.discriminant(2)? == 0 { ("ok", ok) } else { ("error", error) };
                single(name, kind.as_ref().map_or(Ok(Value::Null), |kind| self.decode_json(kind, decoder))?)
            }
            Type::Named(place) => match self.types.get(*place).map(|definition| &definition.kind) {
                Some(Kind::Alias { target }) => self.decode_json(target, decoder)?,
                Some(Kind::Record { fields }) => {
                    let mut object = Map::new();
                    for field in fields {
                        object.insert(field.name.clone(), self.decode_json(&field.kind, decoder)?);
                    }
                    object.into()
                }
                Some(Kind::Enum { cases }) => {
                    let number = decoder.discriminant(cases.len())? as usize;
                    cases.get(number).ok_or(InvalidValue::Case)?.name.clone().into()
                }
                Some(Kind::Flags { flags }) => {
                    let set = decoder.take(flags_size(flags.len()))?;
                    let is_set = |bit: usize| set[bit / 8] & 1 << (bit % 8) != 0;
                    if (flags.len()..set.len() * 8).any(is_set) {
                        return Err(InvalidValue::Flag);
                    }
                    let names = flags.iter().enumerate().filter(|(bit, _)| is_set(*bit));
                    names.map(|(_, flag)| Value::from(flag.name.as_str())).collect::<Vec<_>>().into()
                }
                Some(Kind::Variant { cases }) => {
                    let number = decoder.discriminant(cases.len())? as usize;
                    let case = cases.get(number).ok_or(InvalidValue::Case)?;
                    match &case.kind {
                        Some(kind) => single(&case.name, self.decode_json(kind, decoder)?),
                        None => case.name.as_str().into(),
                    }
                }
                Some(Kind::Resource) | None => return Err(InvalidValue::Case),
            },
        })
    }
}

fn number(number: f64) -> Value {
    match number {
        _ if number.is_nan() => "NaN".into(),
        f64::INFINITY => "Infinity".into(),
        f64::NEG_INFINITY => "-Infinity".into(),
        _ => number.into(),
    }
}
