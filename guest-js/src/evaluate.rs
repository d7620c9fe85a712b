//! From text to a promise of what the program comes to.

use rquickjs::{Ctx, Error, Result, Value, context::EvalOptions};

use crate::hooks;

/// Starts a program. The result is the engine's promise; what is thrown at once is a fault of the text itself.
pub(crate) fn start<'js>(ctx: &Ctx<'js>, code: &str, filename: &str, session: bool) -> Result<Value<'js>> {
    if session && let Some(rewritten) = hooks::rewrite(ctx, code, session, false)? {
        return evaluate(ctx, &rewritten, filename);
    }
    match evaluate(ctx, code, filename) {
        Err(Error::Exception) => {
            let refusal = ctx.catch();
            match hooks::rewrite(ctx, code, session, true)? {
                Some(rewritten) => evaluate(ctx, &rewritten, filename),
                None => Err(ctx.throw(refusal)),
            }
        }
        other => other,
    }
}

fn evaluate<'js>(ctx: &Ctx<'js>, code: &str, filename: &str) -> Result<Value<'js>> {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.promise = true;
    options.filename = Some(filename.replace('\0', ""));
    ctx.eval_with_options(code, options)
}
