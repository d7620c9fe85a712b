//! Names that programs can write: `namespace.tool`, both identifiers of Python and of JavaScript.

use std::collections::HashSet;

/// Longer names are cut.
const LENGTH: usize = 64;

/// Words that are no names in one language or the other.
#[rustfmt::skip]
const KEYWORDS: [&str; 75] = [
    "False", "None", "True", "and", "arguments", "as", "assert", "async", "await", "break", "case", "catch", "class",
    "const", "continue", "debugger", "def", "default", "del", "delete", "do", "elif", "else", "enum", "eval", "except",
    "export", "extends", "false", "finally", "for", "from", "function", "global", "if", "implements", "import", "in",
    "instanceof", "interface", "is", "lambda", "let", "match", "new", "nonlocal", "not", "null", "or", "package", "pass",
    "private", "protected", "public", "raise", "return", "static", "super", "switch", "this", "throw", "true", "try",
    "type", "typeof", "undefined", "var", "void", "while", "with", "yield", "NaN", "Infinity", "get", "set",
];

/// Makes an identifier of whatever a server calls something: `create-issue` is `create_issue`, `3d` is `_3d`, `delete` is
/// `delete_`. `None` if nothing is left.
pub(super) fn identifier(name: &str) -> Option<String> {
    let mut identifier = String::new();
    for character in name.chars() {
        let character = if character.is_ascii_alphanumeric() { character } else { '_' };
        if identifier.len() < LENGTH && !(character == '_' && identifier.ends_with('_')) {
            identifier.push(character);
        }
    }
    let identifier = identifier.trim_matches('_');
    if identifier.is_empty() {
        return None;
    }
    let mut identifier = identifier.to_owned();
    if identifier.starts_with(|first: char| first.is_ascii_digit()) {
        identifier.insert(0, '_');
    }
    if KEYWORDS.contains(&identifier.as_str()) {
        identifier.push('_');
    }
    identifier.truncate(LENGTH);
    Some(identifier)
}

/// A name that nobody has yet: the second `search` is `search_2`.
pub(super) fn unique(name: String, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        let suffix = format!("_{number}");
        let kept = name.len().min(LENGTH - suffix.len());
        candidate = format!("{}{suffix}", &name[..kept]);
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers() {
        for (name, expected) in [
            ("create-issue", "create_issue"),
            ("3d-render", "_3d_render"),
            ("delete", "delete_"),
            ("class", "class_"),
            ("getWeather", "getWeather"),
            ("files/read.v2", "files_read_v2"),
            ("__init__", "init"),
            ("größe", "gr_e"),
        ] {
            assert_eq!(identifier(name).as_deref(), Some(expected), "{name}");
        }
        assert_eq!(identifier("日本"), None);
        assert_eq!(identifier(""), None);
        assert_eq!(identifier(&"x".repeat(500)).map(|name| name.len()), Some(64));
    }

    #[test]
    fn the_second_of_a_name_gets_a_number() {
        let mut taken = HashSet::new();
        let names = ["a", "a", "a_2", "a"].map(|name| unique(name.into(), &mut taken));
        assert_eq!(names, ["a", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(LENGTH);
        assert_eq!(unique(long.clone(), &mut taken), long);
        assert_eq!(unique(long.clone(), &mut taken), format!("{}_2", "x".repeat(LENGTH - 2)));
    }
}
