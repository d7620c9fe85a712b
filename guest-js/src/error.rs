//! What a run that failed tells, and an engine that cannot be made.

use rquickjs::{Ctx, Error, Result};

use crate::{
    bindings::{
        exports::isolette::sandbox::runner::{self, Outcome},
        isolette::sandbox::console::{Stream, write},
    },
    engine, hooks,
    text::Text,
};

/// The outcome of a run that an exception ended.
pub(crate) fn outcome(error: runner::Error) -> Outcome {
    Outcome { value: None, error: Some(error), exit_code: 1 }
}

/// Describes what was thrown. It must succeed whatever that was, and however little memory is left.
pub(crate) fn describe(ctx: &Ctx<'_>, error: &Error, filename: &str, code: &str) -> runner::Error {
    if !matches!(error, Error::Exception) {
        ctx.catch();
        return plain("InternalError", &error.to_string());
    }
    let thrown = ctx.catch();
    if thrown.is_null() && engine::memory_was_exhausted() {
        return out_of_memory();
    }
    engine::release_reserve();
    report(ctx, thrown, filename, code).unwrap_or_else(|_| {
        ctx.catch();
        if engine::memory_was_exhausted() {
            out_of_memory()
        } else {
            plain("Error", "the program threw something that cannot be described")
        }
    })
}

fn report<'js>(ctx: &Ctx<'js>, thrown: rquickjs::Value<'js>, filename: &str, code: &str) -> Result<runner::Error> {
    let report = hooks::report(ctx, thrown, filename, code)?;
    let text = |name| report.get::<_, Text<'js>>(name)?.copied(ctx);
    Ok(runner::Error {
        kind: text("kind")?,
        message: text("message")?,
        line: report.get("line")?,
        traceback: text("traceback")?,
    })
}

/// The engine's error when it has not even the memory to make one.
pub(crate) fn out_of_memory() -> runner::Error {
    plain("InternalError", "out of memory")
}

fn plain(kind: &str, message: &str) -> runner::Error {
    runner::Error {
        kind: kind.to_owned(),
        message: message.to_owned(),
        line: None,
        traceback: format!("{kind}: {message}"),
    }
}

/// Says why there is no engine. While the component is built there is nobody to say it to: the call then fails the build.
pub(crate) fn explain(ctx: &Ctx<'_>, error: &Error) {
    let thrown = ctx.catch();
    let message = match thrown.as_exception() {
        Some(exception) => format!("{exception:?}\n"),
        None => format!("{error}\n"),
    };
    write(Stream::Stderr, message.as_bytes());
}
