//! Attributes that register a function as a test, so that a test is named once.
//!
//! They are used through `isolette_tests`, which exports them and what they expand to.

mod arguments;
mod expansion;

use proc_macro::TokenStream;

/// Registers `fn(&Case)` as a scenario: one test for each language and each engine.
///
/// ```ignore
/// #[scenario]
/// #[scenario(programs = ["breweries/answer"])]
/// #[scenario(programs = ["values/pickle"], only = Python, because = "JavaScript has no pickle")]
/// ```
///
/// - `programs`: the guest programs that it runs, as paths below `tests/guests` without an ending.
/// - `only` and `because`: the one language that it is for, and the reason. Both are given, or neither is.
///
/// The function may return anything that implements `isolette_tests::Outcome`.
#[proc_macro_attribute]
pub fn scenario(arguments: TokenStream, function: TokenStream) -> TokenStream {
    expansion::scenario(arguments.into(), function.into()).into()
}

/// Registers `fn()` as a test that runs once, independent of the engines of the machine.
///
/// The function may return anything that implements `isolette_tests::Outcome`.
#[proc_macro_attribute]
pub fn host_test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    expansion::host_test(&arguments.into(), function.into()).into()
}

/// Registers `fn(&ClientCase)` as a test of the MCP server that runs once for each client, protocol revision and transport.
///
/// The function may return anything that implements `isolette_tests::Outcome`.
#[proc_macro_attribute]
pub fn client_test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    expansion::client_test(&arguments.into(), function.into()).into()
}
