//! Errors of runs, and of engines that cannot be created.

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

/// Describes a thrown value. It must succeed for any value, and with little memory.
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

/// The error of the engine if it has no memory for an error.
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

/// Returns why there is no engine. While the component is built, the call fails the build instead.
pub(crate) fn explain(ctx: &Ctx<'_>, error: &Error) {
    let thrown = ctx.catch();
    let message = match thrown.as_exception() {
        Some(exception) => format!("{exception:?}\n"),
        None => format!("{error}\n"),
    };
    write(Stream::Stderr, message.as_bytes());
}
