//! The `{:?}` format of a value, from its bytes and its WIT without the macro.

use std::any::type_name;

use isolette_interface::{Interface, Kind, Type};

/// Reads the bytes of one value and formats it. Resources are `T`.
pub(super) fn shown<T>(interface: &Interface, kind: &Type, bytes: &mut &[u8]) -> String {
    let mut inner = |kind: &Type| shown::<T>(interface, kind, bytes);
    match kind {
        Type::Tuple(kinds) => {
            let fields: Vec<_> = kinds.iter().map(inner).collect();
            if let [field] = &fields[..] { format!("({field},)") } else { format!("({})", fields.join(", ")) }
        }
        Type::Named(place) => {
            let definition = &interface.types[*place];
            let name = pascal(&definition.name);
            match &definition.kind {
                Kind::Record { fields } => {
                    let field =
                        |field: &isolette_interface::Field| format!("{}: {}", snake(&field.name), inner(&field.kind));
                    format!("{name} {{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
                }
                Kind::Variant { cases } => {
                    let case = &cases[choice(bytes, cases.len())];
                    let payload = case.kind.as_ref().map(|kind| format!("({})", shown::<T>(interface, kind, bytes)));
                    pascal(&case.name) + &payload.unwrap_or_default()
                }
                Kind::Enum { cases } => pascal(&cases[choice(bytes, cases.len())].name),
                Kind::Flags { flags } => {
                    let set = take(bytes, flags.len().div_ceil(8));
                    let flag = |(bit, flag): (usize, &isolette_interface::Label)| {
                        format!("{}: {}", snake(&flag.name), set[bit / 8] >> (bit % 8) & 1 == 1)
                    };
                    format!("{name} {{ {} }}", flags.iter().enumerate().map(flag).collect::<Vec<_>>().join(", "))
                }
                Kind::Alias { target } => inner(target),
                Kind::Resource => panic!("a resource is no value"),
            }
        }
        Type::List(item) => {
            let count = u32::from_le_bytes(array(bytes));
            let items = (0..count).map(|_| shown::<T>(interface, item, bytes));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
        Type::Option(some) => match choice(bytes, 2) {
            0 => "None".to_owned(),
            _ => format!("Some({})", shown::<T>(interface, some, bytes)),
        },
        Type::Result { ok, error } => {
            let (word, payload) = [("Ok", ok), ("Err", error)][choice(bytes, 2)];
            let payload = payload.as_ref().map(|kind| shown::<T>(interface, kind, bytes));
            format!("{word}({})", payload.unwrap_or_else(|| "()".to_owned()))
        }
        Type::Own(_) => {
            take(bytes, 4);
            type_name::<T>().to_owned()
        }
        Type::Borrow(_) => panic!("a borrowed resource is never a result"),
        Type::String => {
            let length = u32::from_le_bytes(array(bytes)) as usize;
            format!("{:?}", String::from_utf8(take(bytes, length).to_vec()).unwrap())
        }
        Type::Bool => format!("{:?}", take(bytes, 1) == [1]),
        Type::U8 => format!("{:?}", u8::from_le_bytes(array(bytes))),
        Type::U16 => format!("{:?}", u16::from_le_bytes(array(bytes))),
        Type::U32 => format!("{:?}", u32::from_le_bytes(array(bytes))),
        Type::U64 => format!("{:?}", u64::from_le_bytes(array(bytes))),
        Type::S8 => format!("{:?}", i8::from_le_bytes(array(bytes))),
        Type::S16 => format!("{:?}", i16::from_le_bytes(array(bytes))),
        Type::S32 => format!("{:?}", i32::from_le_bytes(array(bytes))),
        Type::S64 => format!("{:?}", i64::from_le_bytes(array(bytes))),
        Type::F32 => format!("{:?}", f32::from_le_bytes(array(bytes))),
        Type::F64 => format!("{:?}", f64::from_le_bytes(array(bytes))),
        Type::Char => format!("{:?}", char::from_u32(u32::from_le_bytes(array(bytes))).unwrap()),
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> &'a [u8] {
    bytes.split_off(..count).unwrap()
}

fn array<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    take(bytes, N).try_into().unwrap()
}

fn choice(bytes: &mut &[u8], cases: usize) -> usize {
    if cases <= 256 { take(bytes, 1)[0].into() } else { u16::from_le_bytes(array(bytes)).into() }
}

/// A field or flag. Of the names that are not identifiers, these cannot even be written as `r#…`.
fn snake(name: &str) -> String {
    let name = name.replace('-', "_");
    if ["self", "super", "crate"].contains(&&*name) { name + "_" } else { name }
}

/// A type or case.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    let name: String = name.split('-').map(capital).collect();
    if name == "Self" { name + "_" } else { name }
}
