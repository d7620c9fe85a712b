//! Generates Rust types from WIT types, with their encoding.

use std::collections::BTreeMap;

use isolette_interface::{Case, Definition, Field, Interface, Kind, Label, Type};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Path;

use crate::idents::{pascal, snake};

/// The types of an interface.
pub(crate) struct Types<'a> {
    pub(crate) interface: &'a Interface,
    /// The Rust types of resources, by the name of the resource.
    pub(crate) resources: BTreeMap<String, Path>,
}

impl Types<'_> {
    /// Returns the Rust type.
    pub(crate) fn of(&self, kind: &Type) -> TokenStream {
        match kind {
            Type::Bool => quote!(::core::primitive::bool),
            Type::U8 => quote!(::core::primitive::u8),
            Type::U16 => quote!(::core::primitive::u16),
            Type::U32 => quote!(::core::primitive::u32),
            Type::U64 => quote!(::core::primitive::u64),
            Type::S8 => quote!(::core::primitive::i8),
            Type::S16 => quote!(::core::primitive::i16),
            Type::S32 => quote!(::core::primitive::i32),
            Type::S64 => quote!(::core::primitive::i64),
            Type::F32 => quote!(::core::primitive::f32),
            Type::F64 => quote!(::core::primitive::f64),
            Type::Char => quote!(::core::primitive::char),
            Type::String => quote!(::std::string::String),
            Type::List(element) => {
                let element = self.of(element);
                quote!(::std::vec::Vec<#element>)
            }
            Type::Option(some) => {
                let some = self.of(some);
                quote!(::core::option::Option<#some>)
            }
            Type::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.of(field));
                quote!((#(#fields,)*))
            }
            Type::Result { ok, error } => {
                let [ok, error] =
                    [ok, error].map(|kind| kind.as_ref().map_or_else(|| quote!(()), |kind| self.of(kind)));
                quote!(::core::result::Result<#ok, #error>)
            }
            Type::Named(place) => {
                let name = pascal(&self.interface.types[*place].name);
                quote!(#name)
            }
            Type::Own(place) => {
                let resource = self.resource(*place);
                quote!(::isolette::Owned<#resource>)
            }
            Type::Borrow(place) => {
                let resource = self.resource(*place);
                quote!(::isolette::Borrowed<#resource>)
            }
        }
    }

    /// Returns the Rust type of a resource.
    pub(crate) fn resource(&self, place: usize) -> TokenStream {
        let name = &self.interface.types[place].name;
        let path = &self.resources[name];
        quote!(#path)
    }

    /// Generates all named types.
    pub(crate) fn definitions(&self) -> TokenStream {
        let definitions = self.interface.types.iter().enumerate().map(|(place, one)| self.definition(place, one));
        quote!(#(#definitions)*)
    }

    fn definition(&self, place: usize, definition: &Definition) -> TokenStream {
        let name = pascal(&definition.name);
        let docs = docs(&definition.docs);
        let derived = self.derived(&Type::Named(place));
        // A function never returns a borrow, so such a type needs no encoding.
        let is_result = !self.any(&Type::Named(place), &|kind| matches!(kind, Type::Borrow(_)));
        match &definition.kind {
            Kind::Record { fields } => {
                let body = self.record(&name, fields, is_result);
                quote!(#docs #derived #body)
            }
            Kind::Variant { cases } => {
                let body = self.variant(&name, cases, is_result);
                quote!(#docs #derived #body)
            }
            Kind::Enum { cases } => {
                let cases: Vec<_> = cases
                    .iter()
                    .map(|case| Case { name: case.name.clone(), docs: case.docs.clone(), kind: None })
                    .collect();
                let body = self.variant(&name, &cases, is_result);
                quote!(#docs #derived #[derive(::core::marker::Copy, ::core::hash::Hash)] #body)
            }
            Kind::Flags { flags } => {
                let body = flags_of(&name, flags);
                quote!(#docs #derived #[derive(::core::marker::Copy, ::core::hash::Hash, ::core::default::Default)] #body)
            }
            Kind::Alias { target } => {
                let target = self.of(target);
                quote!(#docs pub type #name = #target;)
            }
            Kind::Resource => {
                let resource = self.resource(place);
                quote! {
                    impl ::isolette::Resource for #resource {
                        const DEFINITION: ::core::primitive::usize = #place;
                    }
                }
            }
        }
    }

    /// Returns the derives that do not depend on the types of resources.
    fn derived(&self, kind: &Type) -> TokenStream {
        let is_total = !self.any(kind, &|kind| matches!(kind, Type::F32 | Type::F64));
        if self.any(kind, &|kind| matches!(kind, Type::Own(_) | Type::Borrow(_))) {
            quote!(#[derive(::core::fmt::Debug)])
        } else if is_total {
            quote!(#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq)])
        } else {
            quote!(#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)])
        }
    }

    fn any(&self, kind: &Type, is_it: &dyn Fn(&Type) -> bool) -> bool {
        let within = |kind: &Type| self.any(kind, is_it);
        is_it(kind)
            || match kind {
                Type::List(inner) | Type::Option(inner) => within(inner),
                Type::Tuple(fields) => fields.iter().any(within),
                Type::Result { ok, error } => [ok, error].into_iter().flatten().any(|kind| within(kind)),
                Type::Named(place) => match &self.interface.types[*place].kind {
                    Kind::Record { fields } => fields.iter().any(|field| within(&field.kind)),
                    Kind::Variant { cases } => cases.iter().filter_map(|case| case.kind.as_ref()).any(within),
                    Kind::Alias { target } => within(target),
                    Kind::Enum { .. } | Kind::Flags { .. } | Kind::Resource => false,
                },
                _ => false,
            }
    }

    fn record(&self, name: &Ident, fields: &[Field], is_result: bool) -> TokenStream {
        let names: Vec<_> = fields.iter().map(|field| snake(&field.name)).collect();
        let kinds: Vec<_> = fields.iter().map(|field| self.of(&field.kind)).collect();
        let docs = fields.iter().map(|field| docs(&field.docs));
        let encode = is_result.then(|| {
            coding(name, &quote!(#(::isolette::encoding::Encode::encode(&self.#names, bytes, context)?;)* Ok(())))
        });
        let decode =
            decoding(name, &quote!(Ok(Self { #(#names: ::isolette::encoding::Decode::decode(decoder, context)?,)* })));
        quote! {
            pub struct #name { #(#docs pub #names: #kinds,)* }
            #encode
            #decode
        }
    }

    fn variant(&self, name: &Ident, cases: &[Case], is_result: bool) -> TokenStream {
        let count = cases.len();
        let (mut defined, mut encoded, mut decoded) = (Vec::new(), Vec::new(), Vec::new());
        for (number, case) in cases.iter().enumerate() {
            let number = number as u32;
            let (case_name, case_docs) = (pascal(&case.name), docs(&case.docs));
            let discriminant = quote!(::isolette::encoding::encode_discriminant(bytes, #number, #count));
            if let Some(kind) = &case.kind {
                let kind = self.of(kind);
                defined.push(quote!(#case_docs #case_name(#kind)));
                encoded.push(quote!(Self::#case_name(value) => {
                    #discriminant;
                    ::isolette::encoding::Encode::encode(value, bytes, context)
                }));
                decoded.push(
                    quote!(#number => ::isolette::encoding::Decode::decode(decoder, context).map(Self::#case_name)),
                );
            } else {
                defined.push(quote!(#case_docs #case_name));
                encoded.push(quote!(Self::#case_name => { #discriminant; Ok(()) }));
                decoded.push(quote!(#number => Ok(Self::#case_name)));
            }
        }
        let encode = is_result.then(|| coding(name, &quote!(match self { #(#encoded)* })));
        let decode = decoding(
            name,
            &quote!(match decoder.discriminant(#count)? {
                #(#decoded,)*
                _ => Err(::isolette::encoding::InvalidValue::Case),
            }),
        );
        quote! {
            pub enum #name { #(#defined,)* }
            #encode
            #decode
        }
    }
}

fn flags_of(name: &Ident, flags: &[Label]) -> TokenStream {
    let names: Vec<_> = flags.iter().map(|flag| snake(&flag.name)).collect();
    let docs = flags.iter().map(|flag| docs(&flag.docs));
    let size = flags.len().div_ceil(8);
    let places: Vec<_> = (0..flags.len()).map(|bit| (bit / 8, 1_u8 << (bit % 8))).collect();
    let (byte, mask): (Vec<_>, Vec<_>) = places.into_iter().unzip();
    let unused = if flags.len().is_multiple_of(8) { 0 } else { u8::MAX << (flags.len() % 8) };
    let encode = coding(
        name,
        &quote! {
            let mut flags = [0_u8; #size];
            #(if self.#names { flags[#byte] |= #mask; })*
            bytes.extend_from_slice(&flags);
            Ok(())
        },
    );
    let decode = decoding(
        name,
        &quote! {
            let flags: [::core::primitive::u8; #size] = decoder.array()?;
            if flags[#size - 1] & #unused != 0 {
                return Err(::isolette::encoding::InvalidValue::Flag);
            }
            Ok(Self { #(#names: flags[#byte] & #mask != 0,)* })
        },
    );
    quote! {
        pub struct #name { #(#docs pub #names: ::core::primitive::bool,)* }
        #encode
        #decode
    }
}

fn coding(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl ::isolette::encoding::Encode<::isolette::Resources> for #name {
            fn encode(
                &self,
                bytes: &mut ::std::vec::Vec<::core::primitive::u8>,
                context: &::isolette::Resources,
            ) -> ::core::result::Result<(), ::isolette::encoding::EncodeError> {
                use ::core::result::Result::{Ok, Err};
                let _ = context;
                #body
            }
        }
    }
}

fn decoding(name: &Ident, body: &TokenStream) -> TokenStream {
    quote! {
        impl ::isolette::encoding::Decode<::isolette::Resources> for #name {
            fn decode(
                decoder: &mut ::isolette::encoding::Decoder<'_>,
                context: &::isolette::Resources,
            ) -> ::core::result::Result<Self, ::isolette::encoding::InvalidValue> {
                use ::core::result::Result::{Ok, Err};
                let _ = context;
                #body
            }
        }
    }
}

/// Generates doc comments from WIT documentation.
pub(crate) fn docs(text: &str) -> TokenStream {
    let lines = text.lines().map(|line| format!(" {line}"));
    quote!(#(#[doc = #lines])*)
}
