//! Conversion of JSON to encoded values.

use isolette_abi::value::{Encode as _, EncodeError, encode_discriminant, encode_length, flags_size};
use serde_json::Value;

use super::Mismatch;
use crate::{Case, Interface, Kind, Type};

impl Interface {
    /// Encodes a JSON value as type `kind` and appends it to `bytes`. `path` is the position of the value in errors.
    ///
    /// # Errors
    /// [`Mismatch`] if the JSON is not a value of the type.
    pub fn encode_json(&self, kind: &Type, value: &Value, path: &str, bytes: &mut Vec<u8>) -> Result<(), Mismatch> {
        let mismatch = || Mismatch { path: path.to_owned(), expected: self.type_as_wit(kind), found: shown(value) };
        let too_long = |_: EncodeError| mismatch();
        let context = &();
        match kind {
            Type::Bool => value.as_bool().ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::U8 => unsigned::<u8>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::U16 => unsigned::<u16>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::U32 => unsigned::<u32>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::U64 => value.as_u64().ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::S8 => signed::<i8>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::S16 => signed::<i16>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::S32 => signed::<i32>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::S64 => value.as_i64().ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::F32 => {
                let number = float(value).ok_or_else(mismatch)?;
                let narrow = number as f32;
                if narrow.is_infinite() && number.is_finite() {
                    return Err(mismatch());
                }
                narrow.encode(bytes, context).map_err(too_long)
            }
            Type::F64 => float(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::Char => {
                let mut characters = value.as_str().ok_or_else(mismatch)?.chars();
                let (Some(one), None) = (characters.next(), characters.next()) else { return Err(mismatch()) };
                one.encode(bytes, context).map_err(too_long)
            }
            Type::String => value.as_str().ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long),
            Type::List(element) => {
                let values = value.as_array().ok_or_else(mismatch)?;
                encode_length(bytes, values.len()).map_err(too_long)?;
                let mut values = values.iter().enumerate();
                values
                    .try_for_each(|(index, value)| self.encode_json(element, value, &format!("{path}[{index}]"), bytes))
            }
            Type::Option(some) => match (value, self.is_option(some)) {
                (Value::Null, _) => {
                    bytes.push(0);
                    Ok(())
                }
                (value, false) => {
                    bytes.push(1);
                    self.encode_json(some, value, path, bytes)
                }
                (value, true) => {
                    let ("some", inner) = only(value).ok_or_else(mismatch)? else { return Err(mismatch()) };
                    bytes.push(1);
                    self.encode_json(some, inner, path, bytes)
                }
            },
            Type::Tuple(kinds) => {
                let values = value.as_array().filter(|values| values.len() == kinds.len()).ok_or_else(mismatch)?;
                let mut fields = kinds.iter().zip(values).enumerate();
                fields.try_for_each(|(index, (kind, value))| {
                    self.encode_json(kind, value, &format!("{path}.{index}"), bytes)
                })
            }
            Type::Result { ok, error } => {
                let (number, kind, inner) = match only(value).ok_or_else(mismatch)? {
                    ("ok", inner) => (0, ok, inner),
                    ("error", inner) => (1, error, inner),
                    _ => return Err(mismatch()),
                };
                bytes.push(number);
                match kind {
                    Some(kind) => self.encode_json(kind, inner, path, bytes),
                    None if inner.is_null() => Ok(()),
                    None => Err(mismatch()),
                }
            }
            Type::Own(_) | Type::Borrow(_) => {
                unsigned::<u32>(value).ok_or_else(mismatch)?.encode(bytes, context).map_err(too_long)
            }
            Type::Named(place) => match self.types.get(*place).map(|definition| &definition.kind) {
                Some(Kind::Alias { target }) => self.encode_json(target, value, path, bytes),
                Some(Kind::Record { fields }) => {
                    let object = value.as_object().ok_or_else(mismatch)?;
                    if let Some(unknown) = object.keys().find(|key| fields.iter().all(|field| field.name != **key)) {
                        let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
                        return Err(Mismatch {
                            path: format!("{path}.{unknown}"),
                            expected: format!("one of {}", names.join(", ")),
                            found: "an unknown field".into(),
                        });
                    }
                    fields.iter().try_for_each(|field| {
                        let value = object.get(&field.name).unwrap_or(&Value::Null);
                        self.encode_json(&field.kind, value, &format!("{path}.{}", field.name), bytes)
                    })
                }
                Some(Kind::Enum { cases }) => {
                    let name = value.as_str().ok_or_else(mismatch)?;
                    let number = cases.iter().position(|case| case.name == name).ok_or_else(mismatch)?;
                    encode_discriminant(bytes, number as u32, cases.len());
                    Ok(())
                }
                Some(Kind::Flags { flags }) => {
                    let mut set = vec![0_u8; flags_size(flags.len())];
                    for name in value.as_array().ok_or_else(mismatch)? {
                        let bit = flags.iter().position(|flag| Some(flag.name.as_str()) == name.as_str());
                        let bit = bit.ok_or_else(mismatch)?;
                        set[bit / 8] |= 1 << (bit % 8);
                    }
                    bytes.extend_from_slice(&set);
                    Ok(())
                }
                Some(Kind::Variant { cases }) => {
                    self.encode_variant(cases, value, path, bytes).unwrap_or_else(|| Err(mismatch()))
                }
                Some(Kind::Resource) | None => Err(mismatch()),
            },
        }
    }

    fn encode_variant(
        &self,
        cases: &[Case],
        value: &Value,
        path: &str,
        bytes: &mut Vec<u8>,
    ) -> Option<Result<(), Mismatch>> {
        let (name, inner) = value.as_str().map(|name| (name, &Value::Null)).or_else(|| only(value))?;
        let number = cases.iter().position(|case| case.name == name)?;
        encode_discriminant(bytes, number as u32, cases.len());
        match &cases[number].kind {
            Some(kind) => Some(self.encode_json(kind, inner, &format!("{path}.{name}"), bytes)),
            None => inner.is_null().then_some(Ok(())),
        }
    }
}

fn unsigned<T: TryFrom<u64>>(value: &Value) -> Option<T> {
    value.as_u64()?.try_into().ok()
}

fn signed<T: TryFrom<i64>>(value: &Value) -> Option<T> {
    value.as_i64()?.try_into().ok()
}

fn float(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("NaN") => Some(f64::NAN),
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        Some(_) => None,
        None => value.as_f64(),
    }
}

fn only(value: &Value) -> Option<(&str, &Value)> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    object.iter().next().map(|(name, value)| (name.as_str(), value))
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 60 { text } else { format!("{} …", text.chars().take(60).collect::<String>()) }
}
