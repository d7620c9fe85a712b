//! TypeScript: types are replaced by spaces, so that lines and columns do not change. A program with syntax that generates code
//! (`enum`, `namespace`, decorators …) is compiled instead, and the positions of its errors are mapped to the source
//! (`places.rs`).
//!
//! This happens in the sandbox and not in the host, because the parser is recursive and its input is untrusted.

mod compile;
mod complaints;
mod places;

use guest_js_text::rewrite;
use swc_common::{GLOBALS, Globals, SourceMap, errors::HANDLER, sync::Lrc};
use swc_ecma_parser::TsSyntax;
use swc_ts_fast_strip::{ErrorCode, Mode, Options, TsError, operate};

use self::complaints::Complaints;
pub(crate) use self::places::{define, forget, source_place};
use crate::bindings::exports::isolette::sandbox::runner;

/// A program may `await` and `return` at its top level; the parser accepts both only inside of functions.
const BEFORE: &str = "async function program(){";
const AFTER: &str = "\n}";

/// The parser is recursive. The worst known kind of nesting uses up its stack at 1800 levels.
const DEEPEST: usize = 800;

/// The compiler is recursive for chains such as `a.b().c()`: it supports 10,000 parts, but not 20,000.
const LONGEST_CHAIN: usize = 8000;

/// The compiler is recursive for operators, too: it supports 20,000 in one expression, but not 50,000.
const MOST_OPERATORS: usize = 15_000;

/// In characters, the same as in `prelude/errors.js`.
const WIDEST_LINE: usize = 160;

/// The extensions of files with types.
pub(crate) fn is_typescript(filename: &str) -> bool {
    [".ts", ".mts", ".cts"].iter().any(|ending| filename.ends_with(ending))
}

/// A program without types.
pub(crate) struct Stripped {
    pub(crate) code: String,
    /// Whether it has `import` or `export`, and is therefore strict.
    pub(crate) is_module: bool,
}

/// Removes the types of a program.
pub(crate) fn strip(code: &str, filename: &str) -> Result<Stripped, runner::Error> {
    if let Some(offset) = rewrite::exceeds_depth(code, DEEPEST) {
        let message = format!(
            "nested too deeply\nhint: {DEEPEST} levels are possible in TypeScript; give names to parts, or read them from a \
             string"
        );
        return Err(error(code, filename, &message, Some(offset)));
    }
    places::forget(filename);
    // The first line of an executable file, which is a comment.
    let commented = code.strip_prefix("#!").map(|rest| format!("//{rest}"));
    let code = commented.as_deref().unwrap_or(code);
    let ended = rewrite::with_line_ends(code);
    let code = ended.as_deref().unwrap_or(code);
    // A function contains no imports.
    let (rewritten, imports): (Option<String>, _) = rewrite::without_modules(code).unzip();
    let code = rewritten.as_deref().unwrap_or(code);
    let source = || format!("{BEFORE}{code}{AFTER}");
    let stripped = match erase(source()) {
        Ok(stripped) if !compile::is_needed(&stripped) => Ok(stripped),
        Ok(_) | Err((TsError { code: ErrorCode::UnsupportedSyntax, .. }, _)) => {
            if let Some(offset) = rewrite::exceeds_chain(code, LONGEST_CHAIN) {
                let message = format!(
                    "chained too long\nhint: beside `enum`, `namespace` and decorators a chain of calls can have {LONGEST_CHAIN} \
                     pieces in TypeScript; give names to parts"
                );
                return Err(error(code, filename, &message, Some(offset)));
            }
            if let Some(offset) = rewrite::exceeds_operators(code, MOST_OPERATORS) {
                return Err(error(code, filename, &too_many_operators(), Some(offset)));
            }
            compile::compile(source(), BEFORE.len()).map(|(compiled, map)| {
                places::keep(filename, code, map);
                compiled
            })
        }
        Err((error, complaints)) => Err(complaints.first().unwrap_or((error.message, None))),
    };
    let stripped = stripped.map_err(|(text, position)| {
        // In a source map, the first byte of the first file has position 1.
        let offset = position.map(|position| (position.0 as usize).saturating_sub(1 + BEFORE.len()));
        error(code, filename, &text, offset)
    })?;
    Ok(match imports {
        Some(imports) => Stripped { code: imports.put_back(&stripped, true), is_module: true },
        None => Stripped { code: stripped, is_module: false },
    })
}

/// Removes the types of a file that is a module, and the imports that only name types.
pub(crate) fn strip_module(code: &str, filename: &str) -> Result<String, runner::Error> {
    let too_deep = rewrite::exceeds_depth(code, DEEPEST).map(|offset| (offset, "nested too deeply".to_owned()));
    let too_long = || rewrite::exceeds_chain(code, LONGEST_CHAIN).map(|offset| (offset, "chained too long".to_owned()));
    let too_many = || rewrite::exceeds_operators(code, MOST_OPERATORS).map(|offset| (offset, too_many_operators()));
    if let Some((offset, message)) = too_deep.or_else(too_long).or_else(too_many) {
        return Err(error(code, filename, &message, Some(offset)));
    }
    places::forget(filename);
    let ended = rewrite::with_line_ends(code);
    let code = ended.as_deref().unwrap_or(code);
    match compile::compile_module(code.to_owned()) {
        Ok((compiled, map)) => {
            places::keep(filename, code, map);
            Ok(compiled)
        }
        Err((text, position)) => {
            let offset = position.map(|position| (position.0 as usize).saturating_sub(1));
            Err(error(code, filename, &text, offset))
        }
    }
}

fn too_many_operators() -> String {
    format!(
        "too many operators\nhint: beside `enum`, `namespace` and decorators, and in modules, an expression can have \
         {MOST_OPERATORS} operators in TypeScript; give names to parts, or read them from a string"
    )
}

/// Replaces types by spaces, if the result is JavaScript.
fn erase(source: String) -> Result<String, (TsError, Complaints)> {
    let complaints = Complaints::default();
    let map = Lrc::new(SourceMap::default());
    let handler = complaints.handler();
    let options = Options {
        module: Some(false),
        parser: TsSyntax { decorators: true, ..TsSyntax::default() },
        mode: Mode::StripOnly,
        ..Options::default()
    };
    let stripped = GLOBALS.set(&Globals::new(), || HANDLER.set(&handler, || operate(&map, &handler, source, options)));
    match stripped {
        Ok(output) => {
            let code = output.code.strip_prefix(BEFORE).and_then(|code| code.strip_suffix(AFTER));
            let message = "the types cannot be separated from the program".to_owned();
            code.map(str::to_owned).ok_or((TsError { message, code: ErrorCode::Unknown }, complaints))
        }
        Err(error) => Err((error, complaints)),
    }
}

/// `offset` is in bytes.
fn error(code: &str, filename: &str, message: &str, offset: Option<usize>) -> runner::Error {
    let before = offset.and_then(|offset| code.get(..offset.min(code.len())));
    let place = before.map(|before| {
        let line = before.matches('\n').count();
        (line, before.rsplit('\n').next().unwrap_or_default().chars().count())
    });
    let traceback = match place {
        Some((line, column)) => {
            let excerpt = excerpt(code.lines().nth(line).unwrap_or_default(), column);
            format!("{filename}:{}\n{excerpt}\n\nSyntaxError: {message}", line + 1)
        }
        None => format!("SyntaxError: {message}"),
    };
    runner::Error {
        kind: "SyntaxError".to_owned(),
        message: message.to_owned(),
        line: place.map(|(line, _)| u32::try_from(line + 1).unwrap_or(u32::MAX)),
        traceback,
    }
}

/// A line, or the relevant part of a long one, with a mark below one of its characters.
fn excerpt(line: &str, column: usize) -> String {
    let from = if column > WIDEST_LINE { column - WIDEST_LINE / 2 } else { 0 };
    let shown: String = line.chars().skip(from).take(WIDEST_LINE).collect();
    format!("{shown}\n{}^", " ".repeat(column - from))
}
