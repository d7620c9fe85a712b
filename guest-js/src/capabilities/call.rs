//! One call of a function.

use rquickjs::{Ctx, Error, Exception, Value};

use super::{
    decoder::{Broken, Decoder},
    encoder::{Encoder, Passed},
    failure,
    interface::{Function, Interface, Outcome},
    payload,
};
use crate::{
    bindings::isolette::sandbox::capabilities::{self, CapabilityError, Payload},
    hooks, lines, text,
};

/// Calls the function with the arguments.
pub(crate) fn call<'js>(
    ctx: &Ctx<'js>,
    interface: &Interface,
    function: &Function,
    arguments: impl IntoIterator<Item = Value<'js>>,
) -> rquickjs::Result<Value<'js>> {
    let (arguments, passed) = encoded(ctx, interface, function, arguments)?;
    lines::note(ctx);
    outcome(ctx, interface, function, &passed, capabilities::call(&interface.name, &function.name, &arguments))
}

/// Encodes the arguments of a call. Returns the resources that it passes as well.
pub(super) fn encoded<'js>(
    ctx: &Ctx<'js>,
    interface: &Interface,
    function: &Function,
    arguments: impl IntoIterator<Item = Value<'js>>,
) -> rquickjs::Result<(Payload, Passed<'js>)> {
    let mut encoder = Encoder::new(ctx, interface);
    let mut arguments = arguments.into_iter();
    for (name, shape) in &function.parameters {
        let value = arguments.next().unwrap_or_else(|| Value::new_undefined(ctx.clone()));
        if let Err(failure) = encoder.encode(shape, value) {
            encoder.passed.take_back();
            return Err(failure.inside(|| name.clone()).throw(ctx, &function.shown));
        }
    }
    let (bytes, passed) = encoder.finish();
    Ok((payload::outgoing(bytes), passed))
}

/// Returns the value of a call, or throws its error.
pub(super) fn outcome<'js>(
    ctx: &Ctx<'js>,
    interface: &Interface,
    function: &Function,
    passed: &Passed<'js>,
    reply: Result<Payload, CapabilityError>,
) -> rquickjs::Result<Value<'js>> {
    match reply {
        Ok(reply) => {
            // The host returns a valid reply, so the error is lack of memory.
            let reply = payload::incoming(reply).map_err(|_| text::out_of_memory(ctx))?;
            result(ctx, interface, function, &reply)
        }
        Err(error) => {
            // After these errors the function was called, and the host owns the transferred resources.
            if !matches!(error, CapabilityError::Failed(_) | CapabilityError::Exhausted(_)) {
                passed.take_back();
            }
            let (kind, sentence) = failure(error);
            let payload = Value::new_undefined(ctx.clone());
            Err(ctx.throw(hooks::capability_error(ctx, &sentence, kind, &interface.name, &function.readable, payload)?))
        }
    }
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
