//! Names that the program declares at its top level become globals that may be declared again.

use super::{
    edits::Edits,
    token::{Frame, Kind, Token},
};

/// In tokens. What a class extends is a name, or a call of one.
const LONGEST_HERITAGE: usize = 200;

/// Whether a statement begins with the token at `index`.
pub(super) fn begins_statement(source: &str, tokens: &[Token], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).and_then(|index| tokens.get(index)) else { return true };
    let ends_statement = matches!(before.frame, Some(Frame::Block | Frame::Function | Frame::Class | Frame::Head));
    before.is_mark(source, ";")
        || before.is_mark(source, "{")
        || before.kind == Kind::Mark && ends_statement
        || before.ends_operand && tokens.get(index).is_some_and(|token| token.newline)
}

/// Where the brackets that open at `index` are closed.
pub(super) fn closing(tokens: &[Token], index: usize) -> Option<usize> {
    let opening = tokens.get(index)?;
    let inside = tokens.iter().enumerate().skip(index + 1);
    inside.filter(|(_, token)| token.depth == opening.depth).map(|(index, _)| index).next()
}

/// `let` and `const` become `var`, `class A {}` becomes `var A = class A {};`.
pub(super) fn rewrite(source: &str, tokens: &[Token], edits: &mut Edits) {
    for (index, token) in tokens.iter().enumerate().filter(|(_, token)| token.depth == 0 && token.kind == Kind::Name) {
        let next = tokens.get(index + 1);
        match token.text(source) {
            "const" => edits.replace(token.start, token.end, "var  "),
            "let" if next.is_some_and(|next| begins_pattern(source, next)) => {
                edits.replace(token.start, token.end, "var");
            }
            "class" if begins_statement(source, tokens, index) || is_exported(source, tokens, index) => {
                class(source, tokens, index, edits);
            }
            _ => {}
        }
    }
}

fn begins_pattern(source: &str, token: &Token) -> bool {
    token.kind == Kind::Name && !matches!(token.text(source), "in" | "instanceof" | "of")
        || token.is_mark(source, "[")
        || token.is_mark(source, "{")
}

fn is_exported(source: &str, tokens: &[Token], index: usize) -> bool {
    let before = |back| index.checked_sub(back).and_then(|index| tokens.get(index));
    before(1).is_some_and(|token| token.is_keyword(source, "export"))
}

fn class(source: &str, tokens: &[Token], index: usize, edits: &mut Edits) {
    let Some(name) = tokens.get(index + 1) else { return };
    let end = body(source, tokens, index).and_then(|body| closing(tokens, body)).and_then(|index| tokens.get(index));
    if let Some(end) = end
        && name.kind == Kind::Name
        && name.text(source) != "extends"
    {
        edits.replace(tokens[index].start, tokens[index].start, format!("var {} = ", name.text(source)));
        edits.replace(end.end, end.end, ";");
    }
}

/// Where the body of the class begins whose keyword is at `index`. It may extend another that is written right there.
fn body(source: &str, tokens: &[Token], index: usize) -> Option<usize> {
    let mut waiting = 0;
    for (at, token) in tokens.iter().enumerate().skip(index).take(LONGEST_HERITAGE) {
        if token.depth > 0 {
            continue;
        }
        if token.is_keyword(source, "class") {
            waiting += 1;
        } else if token.is_mark(source, "{") && token.frame == Some(Frame::Class) {
            waiting -= 1;
            if waiting == 0 {
                return Some(at);
            }
        }
    }
    None
}
