//! Types.

use serde::{Deserialize, Serialize};

use crate::InterfaceName;

/// A type where it is used. Those with a name are known by their place in [`Interface::types`](crate::Interface::types).
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
        /// Of the value, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ok: Option<Box<Type>>,
        /// Of the error, if it carries something.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        error: Option<Box<Type>>,
    },
    /// A record, variant, enum, flags or alias.
    Named(usize),
    /// A resource that changes its owner.
    Own(usize),
    /// A resource that is lent for the time of a call.
    Borrow(usize),
}

impl Type {
    /// The word for a type that consists of nothing else.
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

    /// There is a tuple of more than `most` fields in it, as it is written. What a name stands for does not count.
    pub(crate) fn is_wide(&self, most: usize) -> bool {
        match self {
            Self::List(inner) | Self::Option(inner) => inner.is_wide(most),
            Self::Tuple(fields) => fields.len() > most || fields.iter().any(|field| field.is_wide(most)),
            Self::Result { ok, error } => [ok, error].into_iter().flatten().any(|kind| kind.is_wide(most)),
            _ => false,
        }
    }
}

/// A type with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Definition {
    /// As in the WIT; no two of an interface have the same.
    pub name: String,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The interface that it is of and its name there, if it is of another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<(InterfaceName, String)>,
    /// What it consists of.
    #[serde(flatten)]
    pub kind: Kind,
}

/// What a type with a name consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// All of its fields, in order.
    Record {
        /// At least one.
        fields: Vec<Field>,
    },
    /// One of its cases.
    Variant {
        /// At least one.
        cases: Vec<Case>,
    },
    /// One of its names.
    Enum {
        /// At least one.
        cases: Vec<Label>,
    },
    /// Any of its names.
    Flags {
        /// At least one.
        flags: Vec<Label>,
    },
    /// Something that the host keeps, known by a handle.
    Resource,
    /// Another name for a type.
    Alias {
        /// Which type.
        #[serde(rename = "type")]
        target: Type,
    },
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// As in the WIT.
    pub name: String,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
}

/// A case of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// As in the WIT.
    pub name: String,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// What it carries, if anything.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Type>,
}

/// A case of an enum, or a flag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// As in the WIT.
    pub name: String,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
}
