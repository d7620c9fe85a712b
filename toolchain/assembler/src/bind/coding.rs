//! Generates the encoding of types that `wit-bindgen` generates.

use std::fmt::Write as _;

use isolette_interface::{Definition, Kind, Type};

use super::{
    names::{pascal, screaming_snake, snake},
    spelling::Spelling,
};

/// Generates `Encode` and `Decode` for the named types that `is_wanted` selects.
pub(super) fn codings(spelling: &Spelling<'_>, is_wanted: impl Fn(&Type) -> bool) -> String {
    let mut code = String::new();
    for (place, definition) in spelling.interface.types.iter().enumerate() {
        if is_wanted(&Type::Named(place)) {
            coding(&mut code, &spelling.path(place), definition);
        }
    }
    code
}

fn coding(code: &mut String, path: &str, definition: &Definition) {
    let (encode, decode) = match &definition.kind {
        Kind::Alias { .. } => return,
        Kind::Record { fields } => {
            let names: Vec<_> = fields.iter().map(|field| snake(&field.name)).collect();
            let encode: String = names.iter().map(|name| format!("self.{name}.encode(bytes, context)?; ")).collect();
            let decode: String =
                names.iter().map(|name| format!("{name}: Decode::decode(decoder, context)?, ")).collect();
            (format!("{encode}Ok(())"), format!("Ok(Self {{ {decode}}})"))
        }
        Kind::Variant { cases } => {
            let count = cases.len();
            let (mut encode, mut decode) = (String::new(), String::new());
            for (number, case) in cases.iter().enumerate() {
                let name = pascal(&case.name);
                let discriminant = format!("encode_discriminant(bytes, {number}, {count});");
                if case.kind.is_some() {
                    let _ = write!(encode, "Self::{name}(value) => {{ {discriminant} value.encode(bytes, context) }} ");
                    let _ = write!(decode, "{number} => Decode::decode(decoder, context).map(Self::{name}), ");
                } else {
                    let _ = write!(encode, "Self::{name} => {{ {discriminant} Ok(()) }} ");
                    let _ = write!(decode, "{number} => Ok(Self::{name}), ");
                }
            }
            (
                format!("match self {{ {encode}}}"),
                format!("match decoder.discriminant({count})? {{ {decode}_ => Err(InvalidValue::Case) }}"),
            )
        }
        Kind::Enum { cases } => {
            let count = cases.len();
            let (mut encode, mut decode) = (String::new(), String::new());
            for (number, case) in cases.iter().enumerate() {
                let name = pascal(&case.name);
                let _ = write!(encode, "Self::{name} => {number}, ");
                let _ = write!(decode, "{number} => Ok(Self::{name}), ");
            }
            (
                format!("encode_discriminant(bytes, match self {{ {encode}}}, {count}); Ok(())"),
                format!("match decoder.discriminant({count})? {{ {decode}_ => Err(InvalidValue::Case) }}"),
            )
        }
        Kind::Flags { flags } => {
            let size = flags.len().div_ceil(8);
            let (mut encode, mut decode) = (String::new(), String::new());
            for (place, flag) in flags.iter().enumerate() {
                let (byte, mask, name) = (place / 8, 1_u8 << (place % 8), screaming_snake(&flag.name));
                let _ = write!(encode, "if self.contains(Self::{name}) {{ set[{byte}] |= {mask}; }} ");
                let _ = write!(decode, "value.set(Self::{name}, set[{byte}] & {mask} != 0); ");
            }
            (
                format!("let mut set = [0_u8; {size}]; {encode}bytes.extend_from_slice(&set); Ok(())"),
                format!("let set: [u8; {size}] = decoder.array()?; let mut value = Self::empty(); {decode}Ok(value)"),
            )
        }
        Kind::Resource => {
            let name = pascal(&definition.name);
            let _ = writeln!(
                code,
                "impl Encode<()> for {path}Borrow<'_> {{\n    fn encode(&self, bytes: &mut Vec<u8>, context: &()) -> \
                 Result<(), EncodeError> {{ self.get::<resources::{name}>().handle().encode(bytes, context) }}\n}}"
            );
            (
                format!("self.get::<resources::{name}>().give().encode(bytes, context)"),
                format!("u32::decode(decoder, context).map(|handle| Self::new(resources::{name}::new(handle)))"),
            )
        }
    };
    let _ = writeln!(
        code,
        "impl Encode<()> for {path} {{\n    fn encode(&self, bytes: &mut Vec<u8>, context: &()) -> Result<(), EncodeError> \
         {{ let _ = context; {encode} }}\n}}\nimpl Decode<()> for {path} {{\n    fn decode(decoder: &mut Decoder<'_>, \
         context: &()) -> Result<Self, InvalidValue> {{ let _ = context; {decode} }}\n}}"
    );
}
