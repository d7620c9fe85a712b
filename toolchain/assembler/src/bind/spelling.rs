//! Rust syntax of types.

use isolette_interface::{Interface, InterfaceName, Type};

use super::names::{pascal, snake};

/// The types of an interface that a component exports or imports.
pub(super) struct Spelling<'a> {
    pub(super) interface: &'a Interface,
    pub(super) exported: bool,
}

impl Spelling<'_> {
    /// Returns the Rust type.
    pub(super) fn of(&self, kind: &Type) -> String {
        match kind {
            Type::S8 => "i8".into(),
            Type::S16 => "i16".into(),
            Type::S32 => "i32".into(),
            Type::S64 => "i64".into(),
            Type::String => "String".into(),
            Type::List(element) => format!("Vec<{}>", self.of(element)),
            Type::Option(some) => format!("Option<{}>", self.of(some)),
            Type::Tuple(fields) => {
                format!("({})", fields.iter().map(|field| format!("{},", self.of(field))).collect::<String>())
            }
            Type::Result { ok, error } => {
                let [ok, error] =
                    [ok, error].map(|kind| kind.as_ref().map_or_else(|| "()".into(), |kind| self.of(kind)));
                format!("Result<{ok}, {error}>")
            }
            Type::Named(place) | Type::Own(place) => self.path(*place),
            Type::Borrow(place) => format!("{}Borrow<'_>", self.path(*place)),
            plain => plain.plain_name().unwrap_or_default().into(),
        }
    }

    /// Returns the path of a named type in the bindings of the interface that defines it.
    pub(super) fn path(&self, place: usize) -> String {
        let definition = &self.interface.types[place];
        match &definition.origin {
            Some((owner, name)) => format!("{}::{}", module(owner, self.exported), pascal(name)),
            None => format!("{}::{}", module(&self.interface.name, self.exported), pascal(&definition.name)),
        }
    }
}

/// Returns the module path of the bindings of an interface.
pub(super) fn module(name: &InterfaceName, exported: bool) -> String {
    let exports = if exported { "exports::" } else { "" };
    format!("{exports}{}::{}::{}", snake(&name.namespace), snake(&name.package), snake(&name.interface))
}
