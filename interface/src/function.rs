//! Functions.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Type;

/// A function of an interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// What it is called by.
    pub name: FunctionName,
    /// What its author says of it. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// In order. The first one of a method is `self`, a borrow of its resource.
    pub params: Vec<Parameter>,
    /// What it gives back, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Type>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// As in the WIT.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Type,
}

/// The name of a function in the component model: `get`, `[constructor]station`, `[method]station.name`,
/// `[static]station.find`.
///
/// People read and write it without the brackets ([`FunctionName::readable`]): `station.name`, and
/// `station.constructor` for a constructor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FunctionName(String);

impl FunctionName {
    /// Takes a name of the component model's as it is.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// In the component model.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The resource that it belongs to, and its name there; nothing for a function of the interface itself.
    #[must_use]
    pub fn of_resource(&self) -> Option<(&str, &str)> {
        if let Some(resource) = self.0.strip_prefix("[constructor]") {
            return Some((resource, "constructor"));
        }
        self.0.strip_prefix("[method]").or_else(|| self.0.strip_prefix("[static]"))?.split_once('.')
    }

    /// It makes a resource of its name.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.0.starts_with("[constructor]")
    }

    /// It is called on a resource.
    #[must_use]
    pub fn is_method(&self) -> bool {
        self.0.starts_with("[method]")
    }

    /// For people, and for the rules of policies: `station.name`.
    #[must_use]
    pub fn readable(&self) -> String {
        self.of_resource().map_or_else(|| self.0.clone(), |(resource, name)| format!("{resource}.{name}"))
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.readable())
    }
}
