//! TypeScript: types are replaced by spaces, so that lines and columns stay as they are.
//!
//! This happens in here and not in the host, because the parser is recursive and its input is hostile.

use std::{cell::RefCell, rc::Rc};

use swc_common::{
    BytePos, GLOBALS, Globals, SourceMap,
    errors::{DiagnosticBuilder, Emitter, HANDLER, Handler},
    sync::Lrc,
};
use swc_ecma_parser::TsSyntax;
use swc_ts_fast_strip::{ErrorCode, Mode, Options, operate};

use crate::{bindings::exports::isolette::sandbox::runner, rewrite};

/// A program may `await` and `return` at its top level; the parser knows both only inside of functions.
const BEFORE: &str = "async function program(){";
const AFTER: &str = "\n}";

/// The parser calls itself for what is nested. The worst kind that is known uses up its stack at 1800 levels.
const DEEPEST: usize = 800;

/// In characters. As in `prelude/errors.js`.
const WIDEST_LINE: usize = 160;

/// The ending of a file's name says that there are types.
pub(crate) fn is_typescript(filename: &str) -> bool {
    [".ts", ".mts", ".cts"].iter().any(|ending| filename.ends_with(ending))
}

/// The program without its types.
pub(crate) fn strip(code: &str, filename: &str) -> Result<String, runner::Error> {
    if let Some(offset) = rewrite::exceeds_depth(code, DEEPEST) {
        let message = format!(
            "nested too deeply\nhint: {DEEPEST} levels are possible in TypeScript; give names to parts, or read them from a \
             string"
        );
        return Err(error(code, filename, &message, Some(offset)));
    }
    // Inside of a function there are no imports.
    let rewritten = rewrite::without_modules(code);
    let code = rewritten.as_deref().unwrap_or(code);
    let complaints = Complaints::default();
    let map = Lrc::new(SourceMap::default());
    let handler = Handler::with_emitter(false, false, Box::new(complaints.clone()));
    let options = Options {
        module: Some(false),
        parser: TsSyntax { decorators: true, ..TsSyntax::default() },
        mode: Mode::StripOnly,
        ..Options::default()
    };
    let source = format!("{BEFORE}{code}{AFTER}");
    let stripped = GLOBALS.set(&Globals::new(), || HANDLER.set(&handler, || operate(&map, &handler, source, options)));
    match stripped {
        Ok(output) => {
            let stripped = output.code.strip_prefix(BEFORE).and_then(|code| code.strip_suffix(AFTER));
            stripped
                .map(str::to_owned)
                .ok_or_else(|| error(code, filename, "the types cannot be told from the program", None))
        }
        Err(failure) => {
            let (text, position) = complaints.first().unwrap_or((failure.message, None));
            let hint = match failure.code {
                ErrorCode::UnsupportedSyntax => {
                    "\nhint: only types are removed here; write what makes code of them (enum, namespace, parameter \
                     properties) as JavaScript"
                }
                _ => "",
            };
            // The first byte of the first file of a source map has position 1.
            let offset = position.map(|position| (position.0 as usize).saturating_sub(1 + BEFORE.len()));
            Err(error(code, filename, &format!("{text}{hint}"), offset))
        }
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

/// A line, or the part of a long one that matters, with a mark below one of its characters.
fn excerpt(line: &str, column: usize) -> String {
    let from = if column > WIDEST_LINE { column - WIDEST_LINE / 2 } else { 0 };
    let shown: String = line.chars().skip(from).take(WIDEST_LINE).collect();
    format!("{shown}\n{}^", " ".repeat(column - from))
}

/// What the parser complained about, and where.
#[derive(Clone, Default)]
struct Complaints(Rc<RefCell<Vec<Complaint>>>);

type Complaint = (String, Option<BytePos>);

impl Complaints {
    fn first(&self) -> Option<Complaint> {
        self.0.borrow().first().cloned()
    }
}

impl Emitter for Complaints {
    fn emit(&mut self, diagnostic: &mut DiagnosticBuilder<'_>) {
        let position = diagnostic.span.primary_span().map(|span| span.lo);
        self.0.borrow_mut().push((diagnostic.message(), position));
    }
}
