//! `capability!`: generates Rust for an interface that is written in WIT.
//!
//! The generated code consists of types, traits, and a match from functions to methods. It must never decide what a guest may
//! do, nor inspect a value beyond its type. The crate depends on the interfaces of WIT, and on no crate of the host.

#![deny(missing_docs)]

mod check;
mod dispatch;
mod functions;
mod idents;
mod input;
mod module;
mod types;

use proc_macro::TokenStream;
use quote::quote;
use syn::parse_macro_input;

use self::input::Input;

/// Generates a module for an interface written in WIT, with a trait to implement.
///
/// ```ignore
/// isolette::capability!({
///     // A directory of WIT files, or one file, relative to the directory of Cargo.toml.
///     path: "wit",
///     // The name of the interface.
///     interface: "acme:weather/forecast",
///     // Optional: the type that implements the trait, so that `SandboxBuilder::capability` accepts it. Without it,
///     // `forecast::capability(…)` creates a `Capability` from an implementation.
///     implementation: Weather,
///     // The types that implement its resources.
///     resources: { station: Station },
///     // The asynchronous functions: all of them (`true`), or a list. None by default.
///     async: ["get", "station.measure"],
/// });
/// ```
///
/// The name of the module is the name of the interface in snake case (`forecast`). It contains:
///
/// - a type for each type of the WIT: records are structs, variants and enums are enums, flags are structs of `bool`s,
///   aliases are aliases; `list` is `Vec`, `own` is `isolette::Owned` and `borrow` is `isolette::Borrowed` of the resource's
///   type;
/// - a trait named after the interface (`Forecast`), with a method for each function; `new_station` is the `constructor` of
///   `station`, `station_find` is its static function `find`;
/// - a trait for each resource (`StationMethods`), which the type of the resource implements;
/// - the functions `capability`, which creates a `Capability` from an implementation of the trait, and `interface`, which
///   returns the description of the interface.
///
/// The first parameter of each method is the `CallContext`. A synchronous method runs on the thread of the run and may block.
/// An asynchronous method runs on a thread of Isolette, and Isolette drops its future when the run ends.
///
/// # Errors
/// Invalid WIT is a compile error with the line in the WIT. So is WIT without an equivalent in Rust: names that are equal in
/// Rust (`constructor` of `station` and a function `new-station`), and tuples of more than twelve fields.
#[proc_macro]
pub fn capability(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as Input);
    let generated = module::module(&input).unwrap_or_else(|error| {
        let error = error.to_compile_error();
        quote!(#error)
    });
    generated.into()
}
