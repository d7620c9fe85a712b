//! Programs that are not quite scripts, told in words that are.
//!
//! A script is what the engine runs best: top-level `await`, a value, globals that stay. Three things that programs do are
//! not allowed in one, or not twice: a `return` outside of a function, `import` and `export`, and declaring a name again
//! that an earlier program of the session declared. The text is changed in place, so that every line stays where it is.
//!
//! This reads tokens and never builds a tree: a parser that calls itself could be made to use up the stack, and one that
//! does not is too slow to be run before every program. Where it is wrong about a program, the engine refuses the result,
//! and then the program is run as it was.

mod declarations;
mod edits;
mod frames;
mod imports;
mod lexer;
mod nesting;
mod one_function;
mod returns;
mod token;

use edits::Edits;
use lexer::Lexer;
pub(crate) use one_function::is_one_function;

/// In bytes. Longer programs are data more than anything else, and are taken as they are.
const LONGEST: usize = 4 << 20;

/// The program with top-level names that may be declared again, or nothing if it is best as it is.
pub(crate) fn redeclarable(source: &str) -> Option<String> {
    if !may_hold(source, &["let", "const", "class"]) {
        return None;
    }
    let mut edits = Edits::default();
    declarations::rewrite(source, &Lexer::new(source).tokens(), &mut edits);
    edits.apply(source)
}

/// The program that the engine has refused as a script, without what no script may hold; nothing if that is not why.
pub(crate) fn script(source: &str) -> Option<String> {
    if !may_hold(source, &["return", "import", "export"]) {
        return None;
    }
    let tokens = Lexer::new(source).tokens();
    let mut edits = Edits::default();
    let imports = imports::rewrite(source, &tokens, &mut edits);
    let returns = returns::rewrite(source, &tokens, &mut edits);
    if !(imports || returns) {
        return None;
    }
    // Names that were the program's are now those of a block, and would not be seen by the next program.
    declarations::rewrite(source, &tokens, &mut edits);
    edits.apply(source)
}

/// The program without `import` and `export`, for a reader that knows neither; nothing if it has none.
pub(crate) fn without_modules(source: &str) -> Option<String> {
    if !may_hold(source, &["import", "export"]) {
        return None;
    }
    let mut edits = Edits::default();
    imports::rewrite(source, &Lexer::new(source).tokens(), &mut edits);
    edits.apply(source)
}

/// Whether the program gives the global of that name a value anywhere.
pub(crate) fn assigns(source: &str, name: &str) -> bool {
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
pub(crate) fn exceeds_depth(source: &str, limit: usize) -> Option<usize> {
    if source.len() <= LONGEST { nesting::exceeds(source, &Lexer::new(source).tokens(), limit) } else { None }
}

fn may_hold(source: &str, words: &[&str]) -> bool {
    source.len() <= LONGEST && words.iter().any(|word| source.contains(word))
}

#[cfg(test)]
mod tests;
