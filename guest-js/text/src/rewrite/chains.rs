//! The length of the longest chain such as `a.b().c()` or `a as B as C`. Its syntax tree is nested on the left, so a recursive
//! function descends once for each part.
//!
//! This is an estimate, like that of `nesting.rs`.

use super::{
    nesting::begins_statement,
    token::{Kind, Token},
};

/// The position in bytes where a chain exceeds `limit` parts, if one does.
pub(super) fn exceeds(source: &str, tokens: &[Token], limit: usize) -> Option<usize> {
    // The number of parts of the chain around each open pair of brackets, and of the innermost one.
    let mut around = Vec::new();
    let mut pieces = 0;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        if token.depth > around.len() {
            around.push(std::mem::take(&mut pieces));
        }
        while around.len() > token.depth
            && let Some(left) = around.pop()
        {
            pieces = left;
        }
        let follows_operand = before.is_some_and(|before| before.ends_operand);
        match (token.kind, token.text(source)) {
            (Kind::Mark, ")" | "]" | "}") | (Kind::Property, _) => {}
            (Kind::Mark, "." | "?.") => pieces += 1,
            (Kind::Mark, "(" | "[" | "!") if follows_operand => pieces += 1,
            (Kind::Mark, "(" | "[") if before.is_some_and(|before| before.is_mark(source, "?.")) => {}
            (Kind::Name, "as" | "satisfies") if follows_operand => pieces += 1,
            // The type after `as`, and the template after its tag.
            (Kind::Name | Kind::Literal, _) if !begins_statement(source, before, token) => {}
            _ => pieces = 0,
        }
        if pieces > limit {
            return Some(token.start);
        }
    }
    None
}

/// Operators with two operands, or their first characters.
const OPERATORS: &[&str] = &["+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "=", "??"];

/// The position in bytes where an expression has more than `limit` operators, if one has. Its syntax tree is nested in the same way.
pub(super) fn exceeds_operators(source: &str, tokens: &[Token], limit: usize) -> Option<usize> {
    let mut around = Vec::new();
    let mut operators = 0;
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        if token.depth > around.len() {
            around.push(std::mem::take(&mut operators));
        }
        while around.len() > token.depth
            && let Some(left) = around.pop()
        {
            operators = left;
        }
        let text = token.text(source);
        if matches!(text, ";" | ",") || begins_statement(source, before, token) {
            operators = 0;
        } else if token.kind == Kind::Mark && OPERATORS.contains(&text) {
            operators += 1;
        }
        if operators > limit {
            return Some(token.start);
        }
    }
    None
}
