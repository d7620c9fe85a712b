//! The boundaries of statements.

use super::token::{Frame, Kind, Token};

/// Whether a statement begins with the token at `index`.
pub(super) fn begins_statement(source: &str, tokens: &[Token], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|index| tokens.get(index)) else { return true };
    let ends_statement = matches!(before.frame, Some(Frame::Block | Frame::Function | Frame::Class | Frame::Head));
    before.is_mark(source, ";")
        || before.is_mark(source, "{")
        || before.kind == Kind::Mark && ends_statement
        || before.ends_operand && tokens.get(index).is_some_and(|token| token.newline)
}

/// The index of the token that closes the brackets opened at `index`.
pub(super) fn closing(tokens: &[Token], index: usize) -> Option<usize> {
    let opening = tokens.get(index)?;
    let inside = tokens.iter().enumerate().skip(index + 1);
    inside.filter(|(_, token)| token.depth == opening.depth).map(|(index, _)| index).next()
}

/// Whether an expression that could end before a line break continues after it.
pub(super) fn continues(source: &str, token: &Token) -> bool {
    match token.kind {
        Kind::Mark => {
            !matches!(token.text(source), "{" | "!" | "~" | "++" | "--" | "}" | "@") || is_not_equal(source, token)
        }
        Kind::Name => matches!(token.text(source), "in" | "instanceof"),
        Kind::Literal => source[token.start..].starts_with('`'),
        Kind::Property | Kind::Text => false,
    }
}

fn is_not_equal(source: &str, token: &Token) -> bool {
    source[token.start..].starts_with("!=")
}
