//! How long the longest chain is of what stands behind its operand: `a.b().c()`, `a as B as C`. Its tree leans to the left, and
//! what calls itself for every part of a tree goes down all of it.
//!
//! This is an estimate, as that of `nesting.rs` is.

use super::{
    nesting::begins_statement,
    token::{Kind, Token},
};

/// Where a chain gets longer than `limit` pieces, in bytes; nothing if none does.
pub(super) fn exceeds(source: &str, tokens: &[Token], limit: usize) -> Option<usize> {
    // The pieces of the chain around each pair of brackets that is open, and of the one inside of them all.
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
            // The type behind `as`, and the template behind its tag.
            (Kind::Name | Kind::Literal, _) if !begins_statement(source, before, token) => {}
            _ => pieces = 0,
        }
        if pieces > limit {
            return Some(token.start);
        }
    }
    None
}
