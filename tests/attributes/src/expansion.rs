//! What the attributes expand to: the function as it is, and its registration.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ItemFn, Result, Type};

use crate::arguments::Arguments;

pub(crate) fn scenario(arguments: TokenStream, function: TokenStream) -> TokenStream {
    try_scenario(arguments, function.clone()).unwrap_or_else(|error| refused(&error, &function))
}

pub(crate) fn host_test(arguments: &TokenStream, function: TokenStream) -> TokenStream {
    let expanded = without_arguments("host_test", arguments).and_then(|()| try_host_test(function.clone()));
    expanded.unwrap_or_else(|error| refused(&error, &function))
}

pub(crate) fn client_test(arguments: &TokenStream, function: TokenStream) -> TokenStream {
    let expanded = without_arguments("client_test", arguments).and_then(|()| try_client_test(function.clone()));
    expanded.unwrap_or_else(|error| refused(&error, &function))
}

/// The error, and the function, so that its uses make no further errors.
fn refused(error: &Error, function: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! { #error #function }
}

fn try_scenario(arguments: TokenStream, function: TokenStream) -> Result<TokenStream> {
    let Arguments { programs, only } = syn::parse2(arguments)?;
    let languages = match only {
        None => quote! { ::isolette_tests::Languages::All },
        Some((language, reason)) => {
            quote! { ::isolette_tests::Languages::Only(::isolette::Language::#language, #reason) }
        }
    };
    let function: ItemFn = syn::parse2(function)?;
    check(&function, "scenario", Some("&Case"))?;
    let fields = quote! { programs: &[#(#programs),*], languages: #languages, };
    Ok(registered(&function, &quote!(Scenario), &fields, &quote!(case)))
}

fn try_host_test(function: TokenStream) -> Result<TokenStream> {
    let function: ItemFn = syn::parse2(function)?;
    check(&function, "host_test", None)?;
    Ok(registered(&function, &quote!(HostTest), &quote!(), &quote!()))
}

fn try_client_test(function: TokenStream) -> Result<TokenStream> {
    let function: ItemFn = syn::parse2(function)?;
    check(&function, "client_test", Some("&ClientCase"))?;
    Ok(registered(&function, &quote!(ClientTest), &quote!(), &quote!(case)))
}

/// The function, and what the harness finds it by.
fn registered(function: &ItemFn, test: &TokenStream, fields: &TokenStream, parameters: &TokenStream) -> TokenStream {
    let name = &function.sig.ident;
    quote! {
        #function

        ::isolette_tests::inventory::submit! {
            ::isolette_tests::#test {
                module: ::core::module_path!(),
                name: ::core::stringify!(#name),
                #fields
                run: |#parameters| ::isolette_tests::Outcome::completion(#name(#parameters)),
            }
        }
    }
}

fn without_arguments(attribute: &str, arguments: &TokenStream) -> Result<()> {
    if arguments.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(arguments, format!("`{attribute}` takes no arguments")))
}

/// Whether the harness can call the function, which takes one reference or nothing.
fn check(function: &ItemFn, attribute: &str, takes: Option<&str>) -> Result<()> {
    let signature = &function.sig;
    let shape = takes.map_or_else(|| "fn name()".to_owned(), |parameter| format!("fn name(case: {parameter})"));
    if let Some(asynchronous) = &signature.asyncness {
        let message = format!("`{attribute}` does not await: write `{shape}` and block inside of it");
        return Err(Error::new_spanned(asynchronous, message));
    }
    let inputs: Vec<_> = signature.inputs.iter().collect();
    let fits = match (&inputs[..], takes) {
        ([], None) => true,
        ([FnArg::Typed(input)], Some(_)) => matches!(&*input.ty, Type::Reference(_)),
        _ => false,
    };
    if fits && signature.generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(signature, format!("`{attribute}` is for functions like `{shape}`")))
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use super::{client_test, host_test, scenario};

    fn assert_refused(expansion: &TokenStream, message: &str) {
        let expansion = expansion.to_string();
        assert!(expansion.contains("compile_error") && expansion.contains(message), "{expansion}");
    }

    #[test]
    fn a_scenario_keeps_its_function_and_is_registered() {
        let arguments = quote! { programs = ["a/b"], only = Python, because = "it has none" };
        let expansion = scenario(arguments, quote! { fn works(case: &Case) {} }).to_string();
        for part in ["fn works (case : & Case)", "submit !", "& [\"a/b\"]", "Language :: Python , \"it has none\""] {
            assert!(expansion.contains(part), "`{part}` is not in {expansion}");
        }
    }

    #[test]
    fn functions_of_another_shape_are_refused() {
        assert_refused(&scenario(quote!(), quote! { fn works() {} }), "fn name(case: &Case)");
        assert_refused(&scenario(quote!(), quote! { fn works(case: Case) {} }), "fn name(case: &Case)");
        assert_refused(&scenario(quote!(), quote! { async fn works(case: &Case) {} }), "does not await");
        assert_refused(&host_test(&quote!(), quote! { fn works(case: &Case) {} }), "fn name()");
        assert_refused(&host_test(&quote!(), quote! { fn works<T>() {} }), "fn name()");
        assert_refused(&client_test(&quote!(), quote! { fn works() {} }), "fn name(case: &ClientCase)");
    }

    #[test]
    fn other_tests_take_no_arguments() {
        assert_refused(&host_test(&quote!(programs = ["a/b"]), quote! { fn works() {} }), "takes no arguments");
        assert_refused(&client_test(&quote!(only = Python), quote! { fn works() {} }), "takes no arguments");
    }
}
