//! The depth of recursion of a parser: brackets, and repeated prefixes.
//!
//! This is an estimate: it may be too high for one very long expression.

use super::token::{Frame, Kind, Token};

/// Words whose operand or statement may begin with the same word.
const PREFIXES: &[&str] = &[
    "await", "delete", "do", "extends", "for", "if", "infer", "keyof", "new", "readonly", "typeof", "unique", "void",
    "while", "with", "yield",
];

/// Words that continue the statement of the line before.
const CONTINUATIONS: &[&str] = &["as", "else", "extends", "in", "instanceof", "is", "of", "satisfies"];

/// The state of one open pair of brackets.
#[derive(Default)]
struct Level {
    /// Operators and words whose operands have not ended.
    prefixes: usize,
    /// The value of `prefixes` when the last statement ended, which an `else` continues.
    before: usize,
    /// Open brackets of type arguments, which a comma does not end.
    angles: usize,
}

impl Level {
    fn depth(&self) -> usize {
        1 + self.prefixes + self.angles
    }

    fn end_statement(&mut self) {
        self.before = std::mem::take(&mut self.prefixes);
        self.angles = 0;
    }
}

/// The position in bytes where the depth exceeds `limit`, if it does.
pub(super) fn exceeds(source: &str, tokens: &[Token], limit: usize) -> Option<usize> {
    let mut outer = Vec::new();
    let mut level = Level::default();
    // The sum of the levels in `outer`.
    let mut around = 0;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        if begins_statement(source, before, token) {
            level.end_statement();
        }
        if token.depth > outer.len() {
            around += level.depth();
            outer.push(std::mem::take(&mut level));
        }
        while outer.len() > token.depth
            && let Some(left) = outer.pop()
        {
            level = left;
            around -= level.depth();
        }
        count(source, before, token, &mut level);
        if around + level.depth() > limit {
            return Some(token.start);
        }
    }
    None
}

/// Whether the previous statement has ended without a semicolon.
pub(super) fn begins_statement(source: &str, before: Option<&Token>, token: &Token) -> bool {
    let Some(before) = before else { return false };
    if token.is_one_of(source, CONTINUATIONS) {
        return false;
    }
    if before.is_mark(source, "}") && before.frame == Some(Frame::Block) {
        return true;
    }
    let may_end = before.ends_operand
        || before.is_mark(source, ">")
        || before.is_mark(source, "}") && matches!(before.frame, Some(Frame::Function | Frame::Class));
    token.newline && token.kind != Kind::Mark && may_end && !before.is_one_of(source, PREFIXES)
}

fn count(source: &str, before: Option<&Token>, token: &Token, level: &mut Level) {
    let ends_operand = before.is_some_and(|before| before.ends_operand);
    match (token.kind, token.text(source)) {
        (Kind::Mark, ";") => level.end_statement(),
        (Kind::Mark, ",") if level.angles > 0 => {}
        (Kind::Mark, ",") => level.prefixes = 0,
        (Kind::Mark, "=") if is_comparison(source, token) => {}
        (Kind::Mark, "=>" | "=" | "?" | ":") => level.prefixes += 1,
        (Kind::Mark, "!" | "~" | "+" | "-") if !ends_operand => level.prefixes += 1,
        (Kind::Mark, "*") if before.is_some_and(|before| before.is_mark(source, "*")) => level.prefixes += 1,
        // Types before a value, or of parameters.
        (Kind::Mark, "<") if !ends_operand => {
            level.prefixes += 1;
            level.angles += 1;
        }
        // A comparison has spaces around it.
        (Kind::Mark, "<") if before.is_some_and(|before| before.end == token.start) => level.angles += 1,
        (Kind::Mark, ">") => level.angles = level.angles.saturating_sub(1),
        (Kind::Name, "case" | "default") => level.end_statement(),
        (Kind::Name, "else") if before.is_some_and(|before| before.is_mark(source, ";")) => {
            level.prefixes = level.before + 1;
        }
        (Kind::Name, "else") => level.prefixes += 1,
        (Kind::Name, word) if PREFIXES.contains(&word) => level.prefixes += 1,
        _ => {}
    }
}

/// `==`, `!=`, `<=` and similar operators are several tokens of one character.
fn is_comparison(source: &str, token: &Token) -> bool {
    let (before, after) = (source.get(..token.start), source.get(token.end..));
    before.is_some_and(|before| before.ends_with(['=', '!', '<', '>']))
        || after.is_some_and(|after| after.starts_with('='))
}
