//! Programs that are not quite scripts, told in words that are.
//!
//! A script is what the engine runs best: top-level `await`, a value, globals that stay. What programs do beyond that is
//! allowed by the engine (`../../engine/programs.mjs`), but for `import` and `export`: those are told in other words here, and
//! the program is then strict, as modules are. The text is changed in place, so that every line stays where it is.
//!
//! This reads tokens and never builds a tree: a parser that calls itself could be made to use up the stack, and one that
//! does not is too slow to be run before every program. Where it is wrong about a program, the engine refuses the result.

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

/// The program without `import` and `export`, for a reader that knows neither, and what it imports; nothing if it is no
/// module.
pub fn without_modules(source: &str) -> Option<(String, Imports)> {
    if may_hold(source, &["import", "export"]) { imports::take_out(source) } else { None }
}

/// Whether there are decorators or fields with `accessor`, which the engine knows nothing of.
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

/// Where, in bytes, the program gets deeper than a parser may have to go that calls itself; nothing if it never does.
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
