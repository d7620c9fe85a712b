//! What an interface written in WIT consists of.
//!
//! An [`Interface`] says all that is needed to make calls of it: names, types, functions, and what their author says of
//! them. [`read`] makes it from WIT (feature `wit`); as JSON it is what a guest gets to make a module of.
//!
//! It must never know of engines, guests or hosts, nor generate code for them.

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
