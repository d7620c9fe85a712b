//! Generates the module.

use std::{collections::BTreeMap, env, path::PathBuf};

use isolette_interface::{Interface, Kind, Source};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Result};

use crate::{
    check::check,
    dispatch::dispatch,
    functions::{Method, traits},
    idents::snake,
    input::{Asynchronous, Input},
    types::{Types, docs},
};

/// Reads the WIT and generates the module.
pub(crate) fn module(input: &Input) -> Result<TokenStream> {
    let root = env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    let (interface, source) = isolette_interface::read(&root.join(input.path.value()), &input.interface.value())
        .map_err(|error| Error::new(input.interface.span(), error))?;
    let files = source.files().iter().filter_map(|file| file.to_str()).map(|file| {
        // The compiler must run the macro again when the WIT changes.
        quote!(
            const _: &[::core::primitive::u8] = ::core::include_bytes!(#file);
        )
    });
    let module = of_interface(input, &interface, &source)?;
    Ok(quote!(#(#files)* #module))
}

/// Generates the module of an interface.
pub(crate) fn of_interface(input: &Input, interface: &Interface, source: &Source) -> Result<TokenStream> {
    let types = Types { interface, resources: resources(input, interface)? };
    check_asynchronous(input, interface)?;
    let is_asynchronous = |name: &str| match &input.asynchronous {
        Asynchronous::All(all) => *all,
        Asynchronous::Some(some) => some.iter().any(|one| one.value() == name),
    };
    let methods: Vec<_> = interface
        .functions
        .iter()
        .map(|function| Method::new(&types, function, is_asynchronous(&function.name.readable())))
        .collect();
    check(&types, &methods, source).map_err(|problem| Error::new(input.interface.span(), problem))?;
    let name = snake(&interface.name.interface);
    let own_trait = crate::functions::trait_name(&types);
    let module_docs = docs(&format!("The interface `{}`.\n\n{}", interface.name, interface.docs));
    let definitions = types.definitions();
    let traits = traits(&types, &methods);
    let dispatch = dispatch(&types, &methods);
    let json = interface.to_json();
    let from = input.implementation.as_ref().map(|implementation| {
        quote! {
            impl ::core::convert::From<#implementation> for ::isolette::Capability {
                fn from(implementation: #implementation) -> Self {
                    #name::capability(implementation)
                }
            }
        }
    });
    Ok(quote! {
        #module_docs
        #[allow(clippy::all, clippy::pedantic, clippy::nursery, missing_docs, unused_imports, unreachable_pub, reason = "generated from WIT")]
        pub mod #name {
            use super::*;

            #definitions
            #traits

            /// Creates a capability from an implementation of the interface.
            pub fn capability(implementation: impl #own_trait) -> ::isolette::Capability {
                ::isolette::Capability::new(interface(), IsoletteServer(implementation))
            }

            /// Returns the description of the interface.
            pub fn interface() -> ::isolette::interface::Interface {
                match ::isolette::interface::Interface::from_json(#json) {
                    ::core::result::Result::Ok(interface) => interface,
                    ::core::result::Result::Err(_) => ::core::unreachable!("the macro generated this JSON"),
                }
            }

            #dispatch
        }

        #from
    })
}

/// Returns the types of resources, and checks that each resource has exactly one.
fn resources(input: &Input, interface: &Interface) -> Result<BTreeMap<String, syn::Path>> {
    let is_resource = |name: &str| interface.definition(name).is_some_and(|(_, one)| one.kind == Kind::Resource);
    for (name, (ident, _)) in &input.resources {
        if !is_resource(name) {
            return Err(Error::new(ident.span(), format!("{} has no resource `{name}`", interface.name)));
        }
    }
    for definition in interface.types.iter().filter(|definition| definition.kind == Kind::Resource) {
        if !input.resources.contains_key(&definition.name) {
            let name = &definition.name;
            return Err(Error::new(
                input.interface.span(),
                format!(
                    "no type implements the resource `{name}` of {}\nhint: name one in the macro: `resources: {{ {name}: {} }}`",
                    interface.name,
                    crate::idents::pascal(name),
                ),
            ));
        }
    }
    Ok(input.resources.iter().map(|(name, (_, path))| (name.clone(), path.clone())).collect())
}

fn check_asynchronous(input: &Input, interface: &Interface) -> Result<()> {
    let Asynchronous::Some(some) = &input.asynchronous else { return Ok(()) };
    let names: Vec<_> = interface.functions.iter().map(|function| function.name.readable()).collect();
    match some.iter().find(|one| !names.contains(&one.value())) {
        None => Ok(()),
        Some(other) => Err(Error::new(
            other.span(),
            format!(
                "{} has no function `{}`\nhint: its functions are {}",
                interface.name,
                other.value(),
                names.join(", ")
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIT: &str = "package acme:weather@1.0.0;
        /// Today and tomorrow.
        interface forecast {
            enum sky { clear, clouds }
            flags days { today, tomorrow }
            variant failure { not-found(string), other }
            /// What is to come.
            record report { /// In degrees.
                high-c: f64, sky: sky, %type: option<list<u8>> }
            resource station { constructor(name: string); name: func() -> string; find: static func(id: u64) -> option<station>; }
            /// The forecast for a city.
            get: func(city: string, context: days) -> result<report, failure>;
            visit: func(station: borrow<station>) -> tuple<u8, char>;
        }";

    fn generated(input: &str) -> Result<String> {
        let input: Input = syn::parse_str(input)?;
        let interface = isolette_interface::read_text(WIT, &input.interface.value()).unwrap();
        let file = syn::parse2(of_interface(&input, &interface, &Source::default())?)?;
        Ok(prettyplease::unparse(&file))
    }

    #[test]
    fn a_module_is_generated() {
        insta::assert_snapshot!(
            generated(r#"{ path: "wit", interface: "acme:weather/forecast", implementation: Weather, resources: { station: Station }, async: ["get", "station.name"] }"#)
                .unwrap()
        );
    }

    #[test]
    fn invalid_input_is_rejected() {
        let errors: Vec<_> = [
            r#"{ path: "wit", interface: "acme:weather/forecast" }"#,
            r#"{ path: "wit", interface: "acme:weather/forecast", resources: { station: Station, report: Report } }"#,
            r#"{ path: "wit", interface: "acme:weather/forecast", resources: { station: Station }, async: ["got"] }"#,
            r#"{ path: "wit" }"#,
            r#"{ path: "wit", world: "x" }"#,
        ]
        .into_iter()
        .map(|input| generated(input).unwrap_err().to_string())
        .collect();
        insta::assert_snapshot!(errors.join("\n----\n"));
    }
}
