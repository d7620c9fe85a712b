//! Types of an interface.

use serde::{Deserialize, Serialize};

use crate::InterfaceName;

/// A type where it is used. A named type is an index in [`Interface::types`](crate::Interface::types).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// `bool`
    Bool,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `s8`
    S8,
    /// `s16`
    S16,
    /// `s32`
    S32,
    /// `s64`
    S64,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `char`
    Char,
    /// `string`
    String,
    /// `list<…>`
    List(Box<Type>),
    /// `option<…>`
    Option(Box<Type>),
    /// `tuple<…>`
    Tuple(Vec<Type>),
    /// `result<…>`
    Result {
        /// The type of the value, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ok: Option<Box<Type>>,
        /// The type of the error, if it has a payload.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Box<Type>>,
    },
    /// A record, variant, enum, flags or alias, by index.
    Named(usize),
    /// A resource, by index, whose ownership is transferred.
    Own(usize),
    /// A resource, by index, that is borrowed for the duration of a call.
    Borrow(usize),
}

impl Type {
    /// Returns the WIT keyword of a primitive type, or `None` for any other type.
    #[must_use]
    pub fn plain_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Bool => "bool",
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::S8 => "s8",
            Self::S16 => "s16",
            Self::S32 => "s32",
            Self::S64 => "s64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Char => "char",
            Self::String => "string",
            _ => return None,
        })
    }

    /// Returns whether the type contains a tuple of more than `most` fields. Named types are not followed.
    pub(crate) fn is_wide(&self, most: usize) -> bool {
        match self {
            Self::List(inner) | Self::Option(inner) => inner.is_wide(most),
            Self::Tuple(fields) => fields.len() > most || fields.iter().any(|field| field.is_wide(most)),
            Self::Result { ok, error } => [ok, error].into_iter().flatten().any(|kind| kind.is_wide(most)),
            _ => false,
        }
    }
}

/// A named type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// The name in the WIT, unique within the interface.
    pub name: String,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The interface that defines the type and its name there, if that is another interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<(InterfaceName, String)>,
    /// The kind of the type and its contents.
    #[serde(flatten)]
    pub kind: Kind,
}

/// The kind of a named type and its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// A value with all of the fields, in order.
    Record {
        /// The fields, at least one.
        fields: Vec<Field>,
    },
    /// A value of one of the cases, with an optional payload.
    Variant {
        /// The cases, at least one.
        cases: Vec<Case>,
    },
    /// One of the names.
    Enum {
        /// The cases, at least one.
        cases: Vec<Label>,
    },
    /// A set of the names.
    Flags {
        /// The flags, at least one.
        flags: Vec<Label>,
    },
    /// An object of the provider, identified by a handle.
    Resource,
    /// Another name for a type.
    Alias {
        /// The type that the alias stands for.
        #[serde(rename = "type")]
        target: Type,
    },
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The name in the WIT.
    pub name: String,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: Type,
}

/// A case of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The name in the WIT.
    pub name: String,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The type of the payload, if the case has one.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Type>,
}

/// A case of an enum, or a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The name in the WIT.
    pub name: String,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
}
