//! `capability!`: Rust for an interface that is written in WIT.
//!
//! What it makes is plain: types, traits, and a match from functions to methods. It must never decide what a guest may do,
//! nor look at a value beyond its type.

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

/// Makes a module of an interface written in WIT, with a trait to implement.
///
/// ```ignore
/// isolette::capability!({
///     // A folder of WIT files, or one file, beside this crate's Cargo.toml.
///     path: "wit",
///     // Which of its interfaces.
///     interface: "acme:weather/forecast",
///     // What implements the trait; `SandboxBuilder::capability` takes it as it is. May be left out: then
///     // `forecast::capability(…)` makes a `Capability` of whatever implements it.
///     serve: Weather,
///     // Which types stand for its resources.
///     resources: { station: Station },
///     // Which functions are awaited: all of them (`true`), or some. None by default.
///     async: ["get", "station.measure"],
/// });
/// ```
///
/// The module is called like the interface, in snake case (`forecast`). It has:
///
/// - a type for each type of the WIT: records are structs, variants and enums are enums, flags are structs of `bool`s,
///   aliases are aliases; `list` is `Vec`, `own` is `isolette::Owned` and `borrow` is `isolette::Borrowed` of the resource's
///   type;
/// - a trait called like the interface (`Forecast`), with a method for each function; `new_station` makes what
///   `constructor` makes, `station_find` is a static function `find`;
/// - a trait for each resource (`StationMethods`), implemented by the resource's type;
/// - `capability`, which makes a `Capability` of what implements the trait, and `interface`, which describes it.
///
/// Each method gets the `CallContext` first. What is not awaited runs where the guest waits, and may block; what is awaited
/// runs on threads of Isolette's own and is dropped where it stands when the run ends.
///
/// WIT that is wrong is an error of compilation that names its line. So is WIT that Rust has no words for: names that are
/// the same in Rust (`constructor` of `station` and a function `new-station`), and tuples of more than twelve fields.
#[proc_macro]
pub fn capability(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as Input);
    let made = module::module(&input).unwrap_or_else(|error| {
        let error = error.to_compile_error();
        quote!(#error)
    });
    made.into()
}
