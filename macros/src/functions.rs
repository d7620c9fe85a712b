//! Generates trait methods from WIT functions.

use heck::ToSnakeCase as _;
use isolette_interface::Function;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::{
    idents::{pascal, snake},
    types::{Types, docs},
};

/// A WIT function as a Rust method.
pub(crate) struct Method<'a> {
    pub(crate) function: &'a Function,
    pub(crate) name: Ident,
    /// The index of the resource, if it is a method of one.
    pub(crate) resource: Option<usize>,
    pub(crate) asynchronous: bool,
    /// Names and types, without `self`.
    pub(crate) parameters: Vec<(Ident, TokenStream)>,
    pub(crate) result: TokenStream,
}

impl<'a> Method<'a> {
    pub(crate) fn new(types: &Types<'_>, function: &'a Function, asynchronous: bool) -> Self {
        let resource_and_name = function.name.resource_and_name();
        let resource = match resource_and_name {
            Some((resource, _)) if function.name.is_method() => {
                types.interface.definition(resource).map(|(place, _)| place)
            }
            _ => None,
        };
        let name = match resource_and_name {
            Some((resource, _)) if function.name.is_constructor() => {
                snake(&format!("new_{}", resource.to_snake_case()))
            }
            Some((_, name)) if resource.is_some() => snake(name),
            Some((resource, name)) => snake(&format!("{}_{}", resource.to_snake_case(), name.to_snake_case())),
            None => snake(function.name.as_str()),
        };
        let parameters = function.params.iter().skip(usize::from(resource.is_some()));
        let parameters = parameters.map(|parameter| {
            // The first parameter of every method is named `context`.
            let name = if parameter.name == "context" { "context_" } else { &parameter.name };
            let name = if name == "context_" { Ident::new(name, proc_macro2::Span::call_site()) } else { snake(name) };
            (name, types.of(&parameter.kind))
        });
        let result = function.result.as_ref().map_or_else(|| quote!(()), |kind| types.of(kind));
        Self { function, name, resource, asynchronous, parameters: parameters.collect(), result }
    }

    fn declaration(&self) -> TokenStream {
        let Self { name, result, .. } = self;
        let docs = docs(&self.function.docs);
        let parameters = self.parameters.iter().map(|(name, kind)| quote!(#name: #kind));
        let result = if self.asynchronous {
            quote!(impl ::core::future::Future<Output = #result> + ::core::marker::Send)
        } else {
            quote!(#result)
        };
        quote!(#docs fn #name(&self, context: &::isolette::CallContext, #(#parameters),*) -> #result;)
    }
}

/// Returns the name of the trait of an interface, which differs from the name of every type.
pub(crate) fn trait_name(types: &Types<'_>) -> Ident {
    let mut name = types.interface.name.interface.clone();
    while types.interface.types.iter().any(|definition| pascal(&definition.name) == pascal(&name)) {
        name.push_str("-interface");
    }
    pascal(&name)
}

/// Returns the name of the trait of a resource.
pub(crate) fn methods_name(types: &Types<'_>, resource: usize) -> Ident {
    pascal(&format!("{}-methods", types.interface.types[resource].name))
}

/// Generates the trait of the interface and those of its resources.
pub(crate) fn traits(types: &Types<'_>, methods: &[Method<'_>]) -> TokenStream {
    let declarations = |resource: Option<usize>| {
        methods.iter().filter(move |method| method.resource == resource).map(Method::declaration)
    };
    let own_docs = docs(&types.interface.docs);
    let name = trait_name(types);
    let own = declarations(None);
    let resources = types.interface.types.iter().enumerate();
    let resources = resources.filter(|(_, definition)| definition.kind == isolette_interface::Kind::Resource);
    let resources = resources.map(|(place, definition)| {
        let (name, docs) = (methods_name(types, place), docs(&definition.docs));
        let methods = declarations(Some(place));
        quote!(#docs pub trait #name: ::core::marker::Send + ::core::marker::Sync + 'static { #(#methods)* })
    });
    quote! {
        #own_docs
        pub trait #name: ::core::marker::Send + ::core::marker::Sync + 'static { #(#own)* }
        #(#resources)*
    }
}
