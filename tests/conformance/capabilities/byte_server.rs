//! Interfaces served without the macro, as bytes.

use std::sync::Arc;

use isolette::{CallContext, CallFailure, CallReply, Capability, CapabilityHandler};
use isolette_interface::read_text;

/// Provides an interface with a function of its names and arguments.
pub(super) struct Served<F> {
    names: Vec<String>,
    answer: F,
}

/// An interface of a WIT text.
pub(super) fn serve<F>(wit: &str, interface: &str, answer: F) -> Capability
where
    F: Fn(&str, &[u8], &CallContext) -> Result<Vec<u8>, CallFailure> + Send + Sync + 'static,
{
    let interface = read_text(wit, interface).unwrap_or_else(|error| panic!("{error}\n{wit}"));
    let names = interface.functions.iter().map(|function| function.name.as_str().to_owned()).collect();
    Capability::new(interface, Served { names, answer })
}

impl<F> CapabilityHandler for Served<F>
where
    F: Fn(&str, &[u8], &CallContext) -> Result<Vec<u8>, CallFailure> + Send + Sync + 'static,
{
    fn call(self: Arc<Self>, function: usize, arguments: &[u8], context: &CallContext) -> CallReply {
        CallReply::Ready((self.answer)(&self.names[function], arguments, context))
    }
}

/// Every function returns its arguments.
pub(super) fn echo(wit: &str, interface: &str) -> Capability {
    serve(wit, interface, |_, arguments, _| Ok(arguments.to_vec()))
}

/// Every function returns bytes that do not match its interface.
pub(super) fn broken() -> Capability {
    let wit = "package acme:broken;
        interface parts {
            enum options { one, two }
            short: func() -> u32;
            long: func() -> u32;
            text: func() -> string;
            letter: func() -> char;
            choice: func() -> options;
        }";
    serve(wit, "acme:broken/parts", |name, _, _| {
        Ok(match name {
            "short" => vec![0; 3],
            "long" => vec![0; 5],
            "text" => vec![1, 0, 0, 0, 0xff],
            "letter" => 0xd800_u32.to_le_bytes().to_vec(),
            _ => vec![2],
        })
    })
}
