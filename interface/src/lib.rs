//! Descriptions of interfaces written in WIT.
//!
//! An [`Interface`] contains everything that is needed to call an interface: names, types, functions and documentation.
//! [`read`] creates it from WIT (feature `wit`). The host sends it to guests as JSON, from which they create modules.
//!
//! The crate must never depend on engines, guests or hosts, nor generate code for them.

#![deny(missing_docs)]

mod definition;
mod function;
mod json;
mod name;
mod types;
#[cfg(feature = "wit")]
mod wit;

#[cfg(feature = "wit")]
pub use self::wit::{ReadError, Source, interfaces, read, read_text};
pub use self::{
    definition::Interface,
    function::{Function, FunctionName, Parameter},
    json::Mismatch,
    name::{InterfaceName, InvalidName},
    types::{Case, Definition, Field, Kind, Label, Type},
};
