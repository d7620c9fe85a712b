//! Rewrites modules as scripts.
//!
//! The engine runs programs as scripts: these have top-level `await`, a value, and globals that stay. A patch of the engine
//! allows `return` and repeated declarations in them (`../../engine/patches/`); `import` and `export` are replaced here by
//! what does the same in a script, and the program is then strict, as modules are. Every line stays where it is.
//!
//! This reads tokens and builds no tree: a recursive parser could be made to use up the stack, and one that is not recursive
//! is too slow to be run before every program. Where it misreads a program, the engine refuses the result.

mod chains;
mod edits;
mod frames;
mod imports;
mod lexer;
mod nesting;
mod one_function;
mod statements;
mod token;

pub use imports::Imports;
use lexer::Lexer;
pub use one_function::is_one_function;

/// In bytes. Longer programs are data more than anything else, and are taken as they are.
const LONGEST: usize = 4 << 20;

/// The program as a strict script, if it is a module: one with `import`, `export` or `import.meta`.
pub fn module(source: &str) -> Option<String> {
    without_modules(source).map(|(script, imports)| imports.put_back(&script, false))
}

/// The program without `import` and `export`, for a parser that accepts neither in a function, and what it imports; nothing if
/// it is no module.
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

/// Whether the program gives the global of that name a value anywhere.
pub fn assigns(source: &str, name: &str) -> bool {
    if !may_hold(source, &[name]) {
        return source.len() > LONGEST;
    }
    let tokens = Lexer::new(source).tokens();
    tokens.windows(2).any(|pair| {
        // `==` and `=>` are marks that begin like an assignment.
        let after = &source[pair[1].start..];
        pair[0].text(source) == name && after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>")
    })
}

/// Where, in bytes, the program is nested more deeply than `limit`; nothing if it never is.
pub fn exceeds_depth(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { nesting::exceeds(source, &Lexer::new(source).tokens(), limit) } else { None }
}

/// Where, in bytes, a chain such as `a.b().c()` gets longer than a reader can follow that calls itself for each of its pieces;
/// nothing if none does.
pub fn exceeds_chain(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { chains::exceeds(source, &Lexer::new(source).tokens(), limit) } else { None }
}

fn may_hold(source: &str, words: &[&str]) -> bool {
    source.len() <= LONGEST && words.iter().any(|word| source.contains(word))
}

#[cfg(test)]
mod tests;
