//! Programs that consist of one function, which is then called: `async () => { … }`.

use super::{
    LONGEST,
    lexer::Lexer,
    statements::{closing, continues},
    token::Token,
};

/// Whether the program is one function expression without parameters.
pub fn is_one_function(source: &str) -> bool {
    source.len() <= LONGEST && is_function(source, &Lexer::new(source).tokens()).unwrap_or(false)
}

fn is_function(source: &str, mut tokens: &[Token]) -> Option<bool> {
    while let [inner @ .., last] = tokens
        && last.is_mark(source, ";")
    {
        tokens = inner;
    }
    if tokens.first()?.is_mark(source, "(")
        && !tokens.get(1)?.is_mark(source, ")")
        && closing(tokens, 0)? == tokens.len() - 1
    {
        return is_function(source, tokens.get(1..tokens.len() - 1)?);
    }
    if tokens.first()?.is_keyword(source, "async") {
        tokens = tokens.get(1..)?;
    }
    let is_arrow = tokens.first()?.is_mark(source, "(");
    if !is_arrow {
        if !tokens.first()?.is_keyword(source, "function") {
            return Some(false);
        }
        let is_named = !tokens.get(1)?.is_mark(source, "(");
        tokens = tokens.get(1 + usize::from(is_named)..)?;
    }
    let [open, close, body @ ..] = tokens else { return Some(false) };
    if !(open.is_mark(source, "(") && close.is_mark(source, ")")) {
        return Some(false);
    }
    let body = match body {
        [arrow, body @ ..] if is_arrow && arrow.is_mark(source, "=>") => body,
        _ if is_arrow => return Some(false),
        _ => body,
    };
    if body.first()?.is_mark(source, "{") {
        return Some(closing(body, 0)? == body.len() - 1);
    }
    let depth = body.first()?.depth;
    let is_one = body.windows(2).filter(|pair| pair[1].depth == depth).all(|pair| {
        let [before, token] = pair else { return true };
        !(token.is_mark(source, ";") || token.newline && before.ends_operand && !continues(source, token))
    });
    Some(is_arrow && is_one)
}
