//! `isolette:sandbox/runner`: runs one program and returns its outcome.

use std::borrow::Cow;

use guest_js_text::{rewrite, source};
use rquickjs::{Array, Ctx, Error, Exception, FromJs, Object, Promise, Result, Value};

use crate::{
    bindings::exports::isolette::sandbox::runner::{self, BodyRule, Dialect, Guest, Mode, Outcome, Request},
    engine, error, evaluate,
    event_loop::{self, Finished},
    hooks, lines, pending, random, rejections, snapshot, state, typescript, value,
};

/// The export of the component.
pub(crate) struct Runner;

impl Guest for Runner {
    fn run(request: Request) -> Outcome {
        state::begin();
        state::set_filename(&request.filename);
        lines::begin();
        random::begin();
        rejections::begin();
        pending::drop_all();
        engine::keep_reserve();
        let session = request.mode != Mode::Fresh;
        if !session && snapshot::with(|machine| machine.used) != Some(false) {
            snapshot::make();
        }
        let outcome = snapshot::with(|machine| {
            let used = std::mem::replace(&mut machine.used, true);
            machine.context.with(|ctx| run(&ctx, &request, used))
        });
        outcome.unwrap_or_else(|| error::outcome(error::out_of_memory()))
    }
}

fn run(ctx: &Ctx<'_>, request: &Request, used: bool) -> Outcome {
    engine::update_stack_top(ctx);
    let code = source::program(&request.code);
    let refused = match attempt(ctx, request, &code, used) {
        Ok(outcome) => return outcome,
        Err(refused) => refused,
    };
    // A text that is not valid may have a program in it.
    let (refused, code) = match source::in_markdown(&request.code) {
        Some(inside) => {
            ctx.catch();
            match attempt(ctx, request, &inside, true) {
                Ok(outcome) => return outcome,
                Err(refused) => (refused, Cow::Owned(inside)),
            }
        }
        None => (refused, code),
    };
    match refused {
        Refused::Described(error) => error::outcome(error),
        Refused::Thrown(error) => failure(ctx, &error, &request.filename, &code),
    }
}

/// Why a text did not begin to run: it is not valid.
enum Refused {
    /// By the compiler of TypeScript.
    Described(runner::Error),
    /// By the engine, which holds the exception.
    Thrown(Error),
}

/// Runs a text, if it is valid.
fn attempt(ctx: &Ctx<'_>, request: &Request, code: &str, used: bool) -> std::result::Result<Outcome, Refused> {
    let (mut stripped, is_module) = if typescript::is_typescript(&request.filename) {
        let stripped = typescript::strip(code, &request.filename).map_err(Refused::Described)?;
        (Cow::Owned(stripped.code), stripped.is_module)
    } else {
        typescript::forget(&request.filename);
        (Cow::Borrowed(code), false)
    };
    let started = prepare(ctx, request, &stripped, used)
        .and_then(|()| evaluate::start(ctx, &stripped, &request.filename, is_module))
        .or_else(|refusal| {
            let (compiled, started) = without_types(ctx, request, &stripped, used, refusal)?;
            stripped = Cow::Owned(compiled);
            Ok(started)
        });
    let outcome = match started {
        Err(error) if !state::ended() => return Err(Refused::Thrown(error)),
        Err(error) => Err(error),
        Ok(started) => completion(ctx, started, &stripped),
    };
    if state::ended() {
        ctx.catch();
        return Ok(Outcome { value: None, error: None, exit_code: state::exit_code() });
    }
    Ok(match outcome {
        Ok(value) => Outcome { value, error: None, exit_code: state::exit_code() },
        Err(error) => failure(ctx, &error, &request.filename, code),
    })
}

/// Starts a program that is no JavaScript as TypeScript, and returns it without its types. If it is neither, the error is that of
/// JavaScript.
fn without_types<'js>(
    ctx: &Ctx<'js>,
    request: &Request,
    code: &str,
    used: bool,
    refusal: Error,
) -> Result<(String, Value<'js>)> {
    if !matches!(refusal, Error::Exception) || state::ended() || typescript::is_typescript(&request.filename) {
        return Err(refusal);
    }
    let refusal = ctx.catch();
    let is_syntax = refusal.as_object().is_some_and(|error| {
        let name = error.get::<_, Value<'js>>("name").ok().and_then(Value::into_string);
        name.and_then(|name| name.to_string().ok()).as_deref() == Some("SyntaxError")
    });
    if is_syntax
        && let Ok(stripped) = typescript::strip(code, &request.filename)
        && stripped.code != code
    {
        let prepared = if used { hooks::begin(ctx, rewrite::assigns(&stripped.code, "result")) } else { Ok(()) };
        let started =
            prepared.and_then(|()| evaluate::start(ctx, &stripped.code, &request.filename, stripped.is_module));
        if let Ok(started) = started {
            return Ok((stripped.code, started));
        }
    }
    drop(ctx.catch());
    typescript::forget(&request.filename);
    Err(ctx.throw(refusal))
}

/// Prepares the global object. In a new instance, only what the request sets is missing.
fn prepare(ctx: &Ctx<'_>, request: &Request, code: &str, used: bool) -> Result<()> {
    if used {
        hooks::begin(ctx, rewrite::assigns(code, "result"))?;
    }
    let modes = [&request.tool_calls, &request.interface_calls];
    state::set_interfaces_asynchronous(request.interface_calls.asynchronous);
    let is_usual = request.http_body == BodyRule::Auto
        && request.dialect == Dialect::Isolette
        && modes.iter().all(|mode| mode.reason.is_empty());
    if request.variables.is_empty() && is_usual {
        return Ok(());
    }
    let variables = Array::new(ctx.clone())?;
    if used {
        let names: Vec<_> = request.variables.iter().map(|variable| variable.name.as_str()).collect();
        evaluate::forget(ctx, &names)?;
    }
    for (index, variable) in request.variables.iter().enumerate() {
        let pair = Array::new(ctx.clone())?;
        pair.set(0, variable.name.as_str())?;
        pair.set(1, variable.json.as_str())?;
        variables.set(index, pair)?;
    }
    let [tools, interfaces] = modes.map(|mode| {
        let object = Object::new(ctx.clone())?;
        object.set("asynchronous", mode.asynchronous)?;
        object.set("reason", mode.reason.as_str())?;
        Ok::<_, Error>(object)
    });
    let dialect = match request.dialect {
        Dialect::Openai => "openai",
        Dialect::Codex => "codex",
        Dialect::Cloudflare => "cloudflare",
        Dialect::Isolette | Dialect::Anthropic => "isolette",
    };
    let first_line = code.lines().next().unwrap_or_default();
    let text_bodies = request.http_body == BodyRule::Text;
    hooks::configure(ctx, variables, text_bodies, [tools?, interfaces?], dialect, first_line)
}

/// Waits for everything that the program started, and gets its value.
fn completion<'js>(ctx: &Ctx<'js>, started: Value<'js>, code: &str) -> Result<Option<runner::Value>> {
    let promise = Promise::from_js(ctx, started)?;
    let value = match event_loop::finish(ctx, &promise)? {
        Finished::Settled(completion) => value::of_program(ctx, Object::from_js(ctx, completion)?.get("value")?, code)?,
        Finished::Handled => None,
        Finished::Pending => {
            let message = "the program waits for a promise that nothing can settle any more";
            return Err(Exception::throw_message(ctx, message));
        }
    };
    event_loop::end(ctx)?;
    Ok(value)
}

/// The outcome of a run that an exception ended, after calling the listeners for it.
fn failure(ctx: &Ctx<'_>, error: &Error, filename: &str, code: &str) -> Outcome {
    let described = error::describe(ctx, error, filename, code);
    state::set_exit_code(1);
    if state::end_wanted() && hooks::end(ctx, true, 1).is_err() {
        ctx.catch();
    }
    Outcome { exit_code: state::exit_code(), ..error::outcome(described) }
}
