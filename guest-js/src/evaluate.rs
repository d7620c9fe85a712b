//! Evaluation of a program.

use guest_js_text::rewrite;
use rquickjs::{Ctx, Error, Result, Undefined, Value, context::EvalOptions, object::Property};

use crate::{engine, state};

/// Starts a program; a module is `strict`. The result is the engine's promise. An exception that is thrown immediately is a
/// syntax error.
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

/// The global that a program sets to its value.
const RESULT: &str = "result";

/// Strict programs may only assign existing globals.
fn declare_result(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    if globals.contains_key(RESULT)? {
        return Ok(());
    }
    globals.prop(RESULT, Property::from(Undefined).writable().configurable())
}

/// Removes declarations of earlier programs with these names by `let`, `const` or `class`, which would hide variables.
pub(crate) fn forget(ctx: &Ctx<'_>, names: &[&str]) -> Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    // Such a name belongs to a variable again if a program declares it.
    match evaluate(ctx, &format!("var {}", names.join(", ")), "<variables>", false) {
        // These are not names, so nothing can be declared under them.
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
