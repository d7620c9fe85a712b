//! From text to a promise of what the program comes to.

use rquickjs::{Ctx, Error, Result, Value, context::EvalOptions};

use crate::{rewrite, state};

/// Starts a program. The result is the engine's promise; what is thrown at once is a fault of the text itself.
pub(crate) fn start<'js>(ctx: &Ctx<'js>, code: &str, filename: &str, session: bool) -> Result<Value<'js>> {
    let redeclarable = if session { rewrite::redeclarable(code) } else { None };
    let refusal = match evaluate(ctx, redeclarable.as_deref().unwrap_or(code), filename) {
        Err(Error::Exception) => ctx.catch(),
        other => return other,
    };
    let script = rewrite::script(code);
    let others = [script.as_deref(), redeclarable.as_ref().map(|_| code)];
    for words in others.into_iter().flatten().filter(|_| !state::ended()) {
        match evaluate(ctx, words, filename) {
            Err(Error::Exception) => drop(ctx.catch()),
            other => return other,
        }
    }
    Err(ctx.throw(refusal))
}

fn evaluate<'js>(ctx: &Ctx<'js>, code: &str, filename: &str) -> Result<Value<'js>> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.promise = true;
    options.filename = Some(filename.replace('\0', ""));
    ctx.eval_with_options(code, options)
}
