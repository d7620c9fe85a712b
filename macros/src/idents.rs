//! Conversion of WIT names to Rust names.

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use proc_macro2::{Ident, Span};

/// Returns the Rust name of a function, field, parameter or module.
pub(crate) fn snake(name: &str) -> Ident {
    ident(&name.to_snake_case())
}

/// Returns the Rust name of a type or case.
pub(crate) fn pascal(name: &str) -> Ident {
    ident(&name.to_upper_camel_case())
}

fn ident(name: &str) -> Ident {
    // These four cannot be raw identifiers.
    if ["self", "Self", "super", "crate"].contains(&name) {
        return Ident::new(&format!("{name}_"), Span::call_site());
    }
    syn::parse_str(name).unwrap_or_else(|_| Ident::new_raw(name, Span::call_site()))
}
