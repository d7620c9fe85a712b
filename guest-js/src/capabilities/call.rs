//! One call of a function.

use rquickjs::{Ctx, Error, Exception, Value, function::Rest};

use super::{
    decoder::{Broken, Decoder},
    encoder::Encoder,
    failure,
    interface::{Function, Interface, Outcome},
    payload,
};
use crate::{
    bindings::isolette::sandbox::capabilities::{self, CapabilityError},
    hooks, text,
};

/// Calls the function with the arguments.
pub(crate) fn call<'js>(
    ctx: &Ctx<'js>,
    interface: &Interface,
    function: &Function,
    arguments: impl IntoIterator<Item = Value<'js>>,
) -> rquickjs::Result<Value<'js>> {
    let mut encoder = Encoder::new(ctx, interface);
    let mut arguments = arguments.into_iter();
    for (name, shape) in &function.parameters {
        let value = arguments.next().unwrap_or_else(|| Value::new_undefined(ctx.clone()));
        if let Err(failure) = encoder.encode(shape, value) {
            encoder.take_back();
            return Err(failure.inside(|| name.clone()).throw(ctx, &function.shown));
        }
    }
    match capabilities::call(&interface.name, &function.name, &payload::outgoing(encoder.take_bytes())) {
        Ok(reply) => {
            // The host returns a valid reply, so the error is lack of memory.
            let reply = payload::incoming(reply).map_err(|_| text::out_of_memory(ctx))?;
            result(ctx, interface, function, &reply)
        }
        Err(error) => {
            // After these errors the function was called, and the host owns the transferred resources.
            if !matches!(error, CapabilityError::Failed(_) | CapabilityError::Exhausted(_)) {
                encoder.take_back();
            }
            let (kind, sentence) = failure(error);
            let payload = Value::new_undefined(ctx.clone());
            Err(ctx.throw(hooks::capability_error(ctx, &sentence, kind, &interface.name, &function.readable, payload)?))
        }
    }
}

/// The arguments of a method. The first parameter is the object that it is called on.
pub(crate) fn with_this<'js>(this: Value<'js>, arguments: Rest<Value<'js>>) -> impl Iterator<Item = Value<'js>> {
    std::iter::once(this).chain(arguments.0)
}

fn result<'js>(
    ctx: &Ctx<'js>,
    interface: &Interface,
    function: &Function,
    reply: &[u8],
) -> rquickjs::Result<Value<'js>> {
    let mut decoder = Decoder::new(ctx, interface, reply);
    let mut read = || {
        let (failed, shape) = match &function.result {
            Outcome::Value(shape) => (false, shape.as_ref()),
            Outcome::Fallible { ok, error } => {
                let failed = decoder.byte()? != 0;
                (failed, if failed { error.as_deref() } else { ok.as_deref() })
            }
        };
        let value = match shape {
            Some(shape) => decoder.decode(shape)?,
            None => Value::new_undefined(ctx.clone()),
        };
        decoder.finish()?;
        Ok((failed, value))
    };
    match read() {
        Ok((false, value)) => Ok(value),
        Ok((true, payload)) => {
            let text = hooks::error_text(ctx, &function.shown, payload.clone())?;
            Err(ctx.throw(hooks::capability_error(ctx, &text, "error", &interface.name, &function.readable, payload)?))
        }
        Err(broken) => Err(contract_broken(ctx, function, broken)),
    }
}

fn contract_broken(ctx: &Ctx<'_>, function: &Function, broken: Broken) -> Error {
    match broken {
        Broken::Thrown(error) => error,
        Broken::Contract => Exception::throw_internal(
            ctx,
            &format!("{}: the host's reply does not match the interface", function.shown),
        ),
    }
}
