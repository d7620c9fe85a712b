//! From text to a promise of what the program comes to.

use guest_js_text::rewrite;
use rquickjs::{Ctx, Error, Result, Undefined, Value, context::EvalOptions, object::Property};

use crate::{engine, state};

/// Starts a program; a module is `strict`. The result is the engine's promise; what is thrown at once is a fault of the text
/// itself.
pub(crate) fn start<'js>(ctx: &Ctx<'js>, code: &str, filename: &str, strict: bool) -> Result<Value<'js>> {
    let strict = strict || [".mjs", ".mts"].iter().any(|ending| filename.ends_with(ending));
    let refusal = match evaluate(ctx, code, filename, strict) {
        Err(Error::Exception) => ctx.catch(),
        other => return other,
    };
    match rewrite::module(code).filter(|_| !state::ended()) {
        Some(script) => evaluate(ctx, &script, filename, true),
        None => Err(ctx.throw(refusal)),
    }
}

/// What a program sets to say its value.
const RESULT: &str = "result";

/// Strict programs may only assign what is there.
fn declare_result(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    if globals.contains_key(RESULT)? {
        return Ok(());
    }
    globals.prop(RESULT, Property::from(Undefined).writable().configurable())
}

/// Lets go of what programs before declared under these names with `let`, `const` or `class`: it would hide variables.
pub(crate) fn forget(ctx: &Ctx<'_>, names: &[&str]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    // Such a name is a variable's again when a program says so.
    match evaluate(ctx, &format!("var {}", names.join(", ")), "<variables>", false) {
        // Names that are none: nothing can have been declared under them.
        Err(Error::Exception) => {
            drop(ctx.catch());
            Ok(())
        }
        other => other.map(drop),
    }
}

fn evaluate<'js>(ctx: &Ctx<'js>, code: &str, filename: &str, strict: bool) -> Result<Value<'js>> {
    let filename = filename.replace('\0', "");
    if (strict || code.contains("use strict")) && rewrite::assigns(code, RESULT) {
        declare_result(ctx)?;
    }
    if strict {
        return engine::evaluate_module(ctx, code, &filename);
    }
    let mut options = EvalOptions::default();
    options.strict = false;
    options.promise = true;
    options.filename = Some(filename);
    ctx.eval_with_options(code, options)
}
