//! Words and operators that say what happens to the result of a call.

/// Functions that wait for what they get, by the last name of their path.
pub(super) const COMBINERS: [&str; 15] = [
    "gather",
    "create_task",
    "ensure_future",
    "wait",
    "wait_for",
    "as_completed",
    "shield",
    "run",
    "run_until_complete",
    "all",
    "race",
    "any",
    "allSettled",
    "resolve",
    "spawn",
];
/// Functions that keep what they get, so that what matters is what their result or their object is used for.
pub(super) const KEEPERS: [&str; 11] =
    ["map", "append", "push", "add", "list", "tuple", "set", "flatMap", "from", "extend", "concat"];
/// Words and operators before a call that use its result at once.
pub(super) const USING: [&str; 32] = [
    "in", "of", "if", "elif", "while", "not", "and", "or", "is", "assert", "raise", "throw", "typeof", "!", "-", "+",
    "*", "/", "%", "<", ">", "==", "===", "!=", "!==", "<=", ">=", "&&", "+=", "-=", "switch", "match",
];
/// Operators after a call that use its result.
pub(super) const USING_AFTER: [&str; 20] =
    [".", "?.", "[", "+", "-", "*", "/", "%", "<", ">", "==", "===", "!=", "!==", "<=", ">=", "in", "and", "or", "is"];

pub(super) fn is_chain(name: &str) -> bool {
    matches!(name, "then" | "catch" | "finally")
}

/// Whether an operator after this token has no left side.
pub(super) fn is_unary(before: &str) -> bool {
    matches!(before, "" | "(" | "," | "[" | "=" | "return" | "...")
}

pub(super) fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "if" | "while"
            | "for"
            | "switch"
            | "return"
            | "yield"
            | "await"
            | "in"
            | "of"
            | "and"
            | "or"
            | "not"
            | "else"
            | "elif"
            | "lambda"
            | "case"
            | "async"
            | "function"
            | "catch"
            | "typeof"
            | "new"
            | "is"
    )
}
