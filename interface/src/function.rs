//! Functions and their names.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Type;

/// A function of an interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// The name in the component model.
    pub name: FunctionName,
    /// The WIT documentation. May be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub docs: String,
    /// The parameters in order. The first parameter of a method is `self`, a borrow of its resource.
    pub params: Vec<Parameter>,
    /// The type of the result, if the function has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Type>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// The name in the WIT.
    pub name: String,
    /// The type.
    #[serde(rename = "type")]
    pub kind: Type,
}

/// The name of a function in the component model: `get`, `[constructor]station`, `[method]station.name`,
/// `[static]station.find`.
///
/// The readable form has no brackets ([`FunctionName::readable`]): `station.name`, and `station.constructor` for a constructor.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FunctionName(String);

impl FunctionName {
    /// Creates a name from the component model, without validation.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Returns the name in the component model.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the resource and the name within it, or `None` for a function of the interface itself.
    #[must_use]
    pub fn resource_and_name(&self) -> Option<(&str, &str)> {
        if let Some(resource) = self.0.strip_prefix("[constructor]") {
            return Some((resource, "constructor"));
        }
        self.0.strip_prefix("[method]").or_else(|| self.0.strip_prefix("[static]"))?.split_once('.')
    }

    /// Returns whether the function is the constructor of a resource.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        self.0.starts_with("[constructor]")
    }

    /// Returns whether the function is a method of a resource.
    #[must_use]
    pub fn is_method(&self) -> bool {
        self.0.starts_with("[method]")
    }

    /// Returns the readable form, which policies use as well: `station.name`.
    #[must_use]
    pub fn readable(&self) -> String {
        self.resource_and_name().map_or_else(|| self.0.clone(), |(resource, name)| format!("{resource}.{name}"))
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.readable())
    }
}
