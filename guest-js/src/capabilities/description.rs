//! The host's description of one interface.

use serde::Deserialize;

/// A custom interface of the embedder.
#[derive(Debug, Deserialize)]
pub(crate) struct Description {
    /// With its version, if it has one.
    pub(crate) name: String,
    /// The types. Each refers only to earlier ones.
    pub(crate) types: Vec<Definition>,
    pub(crate) functions: Vec<Function>,
}

/// A named type.
#[derive(Debug, Deserialize)]
pub(crate) struct Definition {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) kind: DefinitionKind,
}

/// The structure of a type.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum DefinitionKind {
    Record { fields: Vec<Parameter> },
    Variant { cases: Vec<Case> },
    Enum { cases: Vec<Case> },
    Flags { flags: Vec<Case> },
    Resource,
    Alias { r#type: Type },
}

/// A field of a record, or a parameter of a function.
#[derive(Debug, Deserialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) r#type: Type,
}

/// A case of a variant or an enumeration, or a flag.
#[derive(Debug, Deserialize)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) r#type: Option<Type>,
}

/// A name such as `[method]station.name`. A method has the first parameter `self`.
#[derive(Debug, Deserialize)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) params: Vec<Parameter>,
    pub(crate) result: Option<Type>,
}

/// A type. A number is an index of [`Description::types`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Type {
    Bool,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F32,
    F64,
    Char,
    String,
    List(Box<Type>),
    Option(Box<Type>),
    Tuple(Vec<Type>),
    Result { ok: Option<Box<Type>>, error: Option<Box<Type>> },
    Named(usize),
    Own(usize),
    Borrow(usize),
}
