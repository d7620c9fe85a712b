//! What the attributes expand to: the function as it is, and its registration.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ItemFn, Result, Type};

use crate::arguments::Arguments;

pub(crate) fn scenario(arguments: TokenStream, function: TokenStream) -> TokenStream {
    try_scenario(arguments, function.clone()).unwrap_or_else(|error| refused(&error, &function))
}

pub(crate) fn host_test(arguments: &TokenStream, function: TokenStream) -> TokenStream {
    try_host_test(arguments, function.clone()).unwrap_or_else(|error| refused(&error, &function))
}

/// The error, and the function, so that its uses make no further errors.
fn refused(error: &Error, function: &TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    quote! { #error #function }
}

fn try_scenario(arguments: TokenStream, function: TokenStream) -> Result<TokenStream> {
    let Arguments { programs, only } = syn::parse2(arguments)?;
    let function: ItemFn = syn::parse2(function)?;
    check(
        &function,
        "scenario",
        |inputs| matches!(inputs, [FnArg::Typed(input)] if matches!(&*input.ty, Type::Reference(_))),
    )?;
    let name = &function.sig.ident;
    let languages = match only {
        None => quote! { ::isolette_tests::Languages::All },
        Some((language, reason)) => {
            quote! { ::isolette_tests::Languages::Only(::isolette::Language::#language, #reason) }
        }
    };
    Ok(quote! {
        #function

        ::isolette_tests::inventory::submit! {
            ::isolette_tests::Scenario {
                module: ::core::module_path!(),
                name: ::core::stringify!(#name),
                programs: &[#(#programs),*],
                languages: #languages,
                run: |case| ::isolette_tests::Outcome::completion(#name(case)),
            }
        }
    })
}

fn try_host_test(arguments: &TokenStream, function: TokenStream) -> Result<TokenStream> {
    if !arguments.is_empty() {
        return Err(Error::new_spanned(arguments, "`host_test` takes no arguments"));
    }
    let function: ItemFn = syn::parse2(function)?;
    check(&function, "host_test", <[FnArg]>::is_empty)?;
    let name = &function.sig.ident;
    Ok(quote! {
        #function

        ::isolette_tests::inventory::submit! {
            ::isolette_tests::HostTest {
                module: ::core::module_path!(),
                name: ::core::stringify!(#name),
                run: || ::isolette_tests::Outcome::completion(#name()),
            }
        }
    })
}

/// Whether the harness can call the function.
fn check(function: &ItemFn, attribute: &str, takes: impl Fn(&[FnArg]) -> bool) -> Result<()> {
    let signature = &function.sig;
    let shape = if attribute == "scenario" { "fn name(case: &Case)" } else { "fn name()" };
    if let Some(asynchronous) = &signature.asyncness {
        let message = format!("`{attribute}` does not await: write `{shape}` and block inside of it");
        return Err(Error::new_spanned(asynchronous, message));
    }
    let inputs: Vec<FnArg> = signature.inputs.iter().cloned().collect();
    if takes(&inputs) && signature.generics.params.is_empty() {
        return Ok(());
    }
    Err(Error::new_spanned(signature, format!("`{attribute}` is for functions like `{shape}`")))
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use super::{host_test, scenario};

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
    }

    #[test]
    fn a_host_test_takes_no_arguments() {
        assert_refused(&host_test(&quote!(programs = ["a/b"]), quote! { fn works() {} }), "takes no arguments");
    }
}
