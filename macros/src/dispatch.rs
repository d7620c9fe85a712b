//! Generates the dispatch from a function index and encoded arguments to a method call.

use proc_macro2::TokenStream;
use quote::quote;

use crate::{
    functions::{Method, methods_name, trait_name},
    types::Types,
};

/// Generates the server type, which serves the interface with an implementation of its trait.
pub(crate) fn dispatch(types: &Types<'_>, methods: &[Method<'_>]) -> TokenStream {
    let own = trait_name(types);
    let arms = methods.iter().enumerate().map(|(place, method)| arm(types, place, method));
    let asynchronous = methods.iter().enumerate().filter(|(_, method)| method.asynchronous).map(|(place, _)| place);
    quote! {
        /// Serves the interface with an implementation of its trait.
        struct IsoletteServer<IsoletteServed>(IsoletteServed);

        impl<IsoletteServed: #own> IsoletteServer<IsoletteServed> {
            fn dispatch(
                self: ::std::sync::Arc<Self>,
                function: ::core::primitive::usize,
                arguments: &[::core::primitive::u8],
                context: &::isolette::CallContext,
            ) -> ::core::result::Result<::isolette::CallReply, ::isolette::CallFailure> {
                let mut decoder = ::isolette::encoding::Decoder::new(arguments);
                let reply = match function {
                    #(#arms)*
                    _ => return ::core::result::Result::Err(::isolette::CallFailure::Failed("no such function".into())),
                };
                ::core::result::Result::Ok(reply)
            }
        }

        impl<IsoletteServed: #own> ::isolette::CapabilityHandler for IsoletteServer<IsoletteServed> {
            fn call(
                self: ::std::sync::Arc<Self>,
                function: ::core::primitive::usize,
                arguments: &[::core::primitive::u8],
                context: &::isolette::CallContext,
            ) -> ::isolette::CallReply {
                self.dispatch(function, arguments, context)
                    .unwrap_or_else(|failure| ::isolette::CallReply::Ready(::core::result::Result::Err(failure)))
            }

            fn is_asynchronous(&self, function: ::core::primitive::usize) -> ::core::primitive::bool {
                [#(#asynchronous),*].contains(&function)
            }
        }
    }
}

fn arm(types: &Types<'_>, place: usize, method: &Method<'_>) -> TokenStream {
    let decode = |kind: &TokenStream| quote!(<#kind as ::isolette::encoding::Decode<::isolette::Resources>>::decode(&mut decoder, context.resources())?);
    let values = method.parameters.iter().map(|(_, kind)| decode(kind));
    // A parameter may have the name of any local variable here, so the values stay in one tuple.
    let values = quote!((#(#values,)*));
    let arguments = (0..method.parameters.len()).map(syn::Index::from);
    let context = if method.asynchronous { quote!(&context) } else { quote!(context) };
    let name = &method.name;
    let (receiver, call) = match method.resource {
        Some(resource) => {
            let (methods, kind) = (methods_name(types, resource), types.resource(resource));
            let receiver = decode(&quote!(::isolette::Borrowed<#kind>));
            (receiver, quote!(<#kind as #methods>::#name(&receiver, #context, #(arguments.#arguments),*)))
        }
        None => {
            let own = trait_name(types);
            (
                quote!(::std::sync::Arc::clone(&self)),
                quote!(<IsoletteServed as #own>::#name(&receiver.0, #context, #(arguments.#arguments),*)),
            )
        }
    };
    let reply = if method.asynchronous {
        quote! {
            let context = ::core::clone::Clone::clone(context);
            ::isolette::CallReply::Later(::std::boxed::Box::pin(async move {
                let result = #call.await;
                ::isolette::CallReply::encode(&result, &context)
            }))
        }
    } else {
        quote! {
            let result = #call;
            ::isolette::CallReply::Ready(::isolette::CallReply::encode(&result, context))
        }
    };
    quote! {
        #place => {
            let receiver = #receiver;
            let arguments = #values;
            decoder.end()?;
            #reply
        }
    }
}
