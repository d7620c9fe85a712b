//! Words that are a whole statement or a whole member of a class because a line ends behind them, although the parser of TypeScript
//! reads them as the beginning of the next line.

use super::{
    edits::Edits,
    nesting::begins_statement,
    token::{Frame, Kind, Token},
};

/// Words that begin a declaration, if it is on the same line.
const DECLARATIONS: &[&str] = &["abstract", "declare", "global", "interface", "module", "namespace", "type"];

/// Words that begin a member of a class, if it is on the same line.
const MODIFIERS: &[&str] =
    &["abstract", "accessor", "declare", "override", "private", "protected", "public", "readonly"];

/// The program with a semicolon behind each of these words, if there are any.
pub(super) fn ended(source: &str, tokens: &[Token]) -> Option<String> {
    let mut edits = Edits::default();
    let mut around = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        around.truncate(token.depth);
        if is_alone(source, tokens, index, around.last().copied().flatten()) {
            edits.replace(token.end, token.end, ";");
        }
        if tokens.get(index + 1).is_some_and(|next| next.depth > token.depth) {
            around.push(token.frame);
        }
    }
    edits.apply(source)
}

fn is_alone(source: &str, tokens: &[Token], index: usize, frame: Option<Frame>) -> bool {
    let (Some(token), Some(next)) = (tokens.get(index), tokens.get(index + 1)) else { return false };
    if !next.newline {
        return false;
    }
    let begins_another = next.kind != Kind::Mark || ["{", "[", "#", "*", "}"].contains(&next.text(source));
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    match frame {
        Some(Frame::Class) => {
            let is_member = before.is_some_and(|before| {
                token.newline
                    || before.is_mark(source, "{")
                    || before.is_mark(source, ";")
                    || before.is_mark(source, "}")
            });
            is_member && begins_another && MODIFIERS.contains(&token.text(source))
        }
        None | Some(Frame::Block | Frame::Function) => {
            let begins = before.is_none_or(|before| before.is_mark(source, ";") || before.is_mark(source, "{"))
                || begins_statement(source, before, token);
            let opens = next.is_mark(source, "{") && !token.is_keyword(source, "interface");
            begins && (next.kind != Kind::Mark || opens) && token.is_one_of(source, DECLARATIONS)
        }
        _ => false,
    }
}
