//! The Rust names that `wit-bindgen` generates.

use heck::{ToShoutySnakeCase as _, ToSnakeCase as _, ToUpperCamelCase as _};

/// Rust keywords, to which `wit-bindgen` appends `_`.
const KEYWORDS: &[&str] = &[
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in",
    "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return", "self", "static", "struct", "super", "trait",
    "true", "type", "unsafe", "use", "where", "while", "async", "await", "dyn", "abstract", "become", "box", "do",
    "final", "macro", "override", "priv", "typeof", "unsized", "virtual", "yield", "try",
];

/// Returns the name of a function, field or module.
pub(super) fn snake(name: &str) -> String {
    let snake = name.to_snake_case();
    if KEYWORDS.contains(&snake.as_str()) { format!("{snake}_") } else { snake }
}

/// Returns the name of a type or case.
pub(super) fn pascal(name: &str) -> String {
    let pascal = name.to_upper_camel_case();
    if pascal == "Guest" { "Guest_".into() } else { pascal }
}

/// Returns the name of a flag.
pub(super) fn screaming_snake(name: &str) -> String {
    name.to_shouty_snake_case()
}
