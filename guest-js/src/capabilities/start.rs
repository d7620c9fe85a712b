//! A call that the program does not wait for: a promise.

use std::{cell::RefCell, rc::Rc};

use rquickjs::{Ctx, Function as Callable, Value};

use super::{
    call,
    interface::{Function, Interface},
};
use crate::{bindings::isolette::sandbox::capabilities, lines, pending};

/// Starts a call of the function at `index`, and returns its promise. Arguments that cannot be encoded reject it.
pub(crate) fn start<'js>(
    ctx: &Ctx<'js>,
    interface: &Rc<Interface>,
    index: usize,
    function: &Function,
    arguments: impl Iterator<Item = Value<'js>>,
) -> rquickjs::Result<Value<'js>> {
    let arguments: Vec<_> = arguments.collect();
    let (payload, passed) = match call::encoded(ctx, interface, function, arguments.iter().cloned()) {
        Ok(encoded) => encoded,
        Err(rquickjs::Error::Exception) => {
            let reason = ctx.catch();
            let (promise, _, reject) = ctx.promise()?;
            reject.call::<_, ()>((reason,))?;
            return Ok(promise.into_value());
        }
        Err(error) => return Err(error),
    };
    lines::note(ctx);
    let ticket = capabilities::start(&interface.name, &function.name, &payload);
    let interface = Rc::clone(interface);
    // The arguments, which may be resources, are held until the result is there.
    let held = RefCell::new(Some((passed, arguments)));
    let finish = Callable::new(ctx.clone(), move |ctx: Ctx<'js>, ticket: u32| {
        let function = interface.functions.get(index).ok_or(rquickjs::Error::Unknown)?;
        let (passed, _arguments) = held.take().ok_or(rquickjs::Error::Unknown)?;
        call::outcome(&ctx, &interface, function, &passed, capabilities::finish(ticket))
    })?;
    pending::promise(ctx, ticket, pending::finish_by(ctx, finish), None)
}
