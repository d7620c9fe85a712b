//! Rewrites modules as scripts.
//!
//! The engine runs programs as scripts, which have top-level `await`, a value, and persistent globals. A patch of the engine
//! allows `return` and repeated declarations in them (`../../engine/patches/`). `import` and `export` are replaced here by
//! equivalent statements, and the program is then strict, like a module. No line changes its number.
//!
//! This module reads tokens and builds no syntax tree: a recursive parser could exhaust the stack, and one that is not
//! recursive is too slow for every program. If it misreads a program, the engine rejects the result.

mod chains;
mod edits;
mod frames;
mod imports;
mod lexer;
mod line_ends;
mod nesting;
mod one_function;
mod statements;
mod token;

pub use imports::Imports;
use lexer::Lexer;
pub use one_function::is_one_function;

/// In bytes. Longer programs are mostly data, and are not rewritten.
const LONGEST: usize = 4 << 20;

/// The program as a strict script, if it is a module: one with `import`, `export` or `import.meta`.
pub fn module(source: &str) -> Option<String> {
    without_modules(source).map(|(script, imports)| imports.put_back(&script, false))
}

/// The program without `import` and `export`, for a parser that accepts neither in a function, and its imports; `None` if it is
/// not a module.
pub fn without_modules(source: &str) -> Option<(String, Imports)> {
    if may_hold(source, &["import", "export"]) { imports::take_out(source) } else { None }
}

/// Whether there are decorators or fields with `accessor`, which the engine does not support.
pub fn has_decorators(source: &str) -> bool {
    let tokens = Lexer::new(source).tokens();
    tokens.windows(2).any(|pair| {
        let is_accessor = pair[0].text(source) == "accessor" && !pair[1].newline;
        pair[0].is_mark(source, "@") || is_accessor && matches!(pair[1].kind, token::Kind::Name | token::Kind::Property)
    })
}

/// The program with a semicolon behind each word that a line break makes a whole statement or member, although the parser of
/// TypeScript would continue it: `type`, `namespace`, `override` …; `None` if there is none.
pub fn with_line_ends(source: &str) -> Option<String> {
    let words =
        ["abstract", "accessor", "declare", "global", "module", "namespace", "override", "private", "protected"];
    if !may_hold(source, &words) && !may_hold(source, &["public", "readonly", "type"]) {
        return None;
    }
    line_ends::ended(source, &Lexer::new(source).tokens())
}

/// Whether the program assigns the global with this name anywhere.
pub fn assigns(source: &str, name: &str) -> bool {
    if !may_hold(source, &[name]) {
        return source.len() > LONGEST;
    }
    let tokens = Lexer::new(source).tokens();
    tokens.windows(2).any(|pair| {
        // `==` and `=>` begin like an assignment.
        let after = &source[pair[1].start..];
        pair[0].text(source) == name && after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>")
    })
}

/// The position in bytes where the program is nested more deeply than `limit`, if it is.
pub fn exceeds_depth(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { nesting::exceeds(source, &Lexer::new(source).tokens(), limit) } else { None }
}

/// The position in bytes where a chain such as `a.b().c()` is too long for a parser that is recursive for each part, if one is.
pub fn exceeds_chain(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { chains::exceeds(source, &Lexer::new(source).tokens(), limit) } else { None }
}

/// The position in bytes where an expression such as `a + b + c` has too many operators for a parser that is recursive for each, if
/// one has.
pub fn exceeds_operators(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { chains::exceeds_operators(source, &Lexer::new(source).tokens(), limit) } else { None }
}

fn may_hold(source: &str, words: &[&str]) -> bool {
    source.len() <= LONGEST && words.iter().any(|word| source.contains(word))
}

#[cfg(test)]
mod tests;
