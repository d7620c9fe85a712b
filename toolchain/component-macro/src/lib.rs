//! The macros that `wasmtime` exports, each of which only says that it is not here
//! (docs/decisions/0057-leave-wasmtimes-macros-out-of-builds.md).

use proc_macro::TokenStream;

const MESSAGE: &str = "compile_error!(\"the macros of Wasmtime are left out of the builds of this workspace; \
                       docs/decisions/0057-leave-wasmtimes-macros-out-of-builds.md says why\");";

fn left_out() -> TokenStream {
    MESSAGE.parse().expect("a call of a macro")
}

/// Refuses what would be bindings of a world.
#[proc_macro]
pub fn bindgen(_: TokenStream) -> TokenStream {
    left_out()
}

/// Refuses what would be a type of flags.
#[proc_macro]
pub fn flags(_: TokenStream) -> TokenStream {
    left_out()
}

/// Refuses to derive the type of a value.
#[proc_macro_derive(ComponentType, attributes(component))]
pub fn component_type(_: TokenStream) -> TokenStream {
    left_out()
}

/// Refuses to derive how a value is read out of a guest.
#[proc_macro_derive(Lift, attributes(component))]
pub fn lift(_: TokenStream) -> TokenStream {
    left_out()
}

/// Refuses to derive how a value is written into a guest.
#[proc_macro_derive(Lower, attributes(component))]
pub fn lower(_: TokenStream) -> TokenStream {
    left_out()
}
