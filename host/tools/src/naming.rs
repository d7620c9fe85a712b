//! Makes names that programs can write in Python and in JavaScript, for sources of tools that have names of their own.
//! Every name is an identifier in both languages and has at most [`LONGEST`] bytes.

use sha2::{Digest as _, Sha256};

/// Maximum length of each part of a name in bytes.
pub const LONGEST: usize = 64;

/// Number of hexadecimal digits of the hash that replaces the rest of a name that is too long.
const DIGEST: usize = 8;

/// Maximum number of characters of a text that are read.
const READ: usize = 1024;

/// Reserved words of Python.
#[rustfmt::skip]
const PYTHON: [&str; 36] = [
    "False", "None", "True", "__debug__", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Further reserved words of JavaScript, and names that must not be redefined.
#[rustfmt::skip]
const JAVASCRIPT: [&str; 36] = [
    "Infinity", "NaN", "arguments", "case", "catch", "const", "debugger", "default", "delete", "do", "enum", "eval",
    "export", "extends", "false", "function", "implements", "instanceof", "interface", "let", "new", "null", "package",
    "private", "protected", "public", "static", "super", "switch", "this", "throw", "true", "typeof", "undefined", "var",
    "void",
];

/// Whether `name` is an identifier in both languages. Keywords are identifiers here.
#[must_use]
pub fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|other| other.is_ascii_alphanumeric() || other == '_')
}

/// Whether `name` is a keyword in Python or in JavaScript.
#[must_use]
pub fn is_keyword(name: &str) -> bool {
    is_python_keyword(name) || JAVASCRIPT.contains(&name)
}

/// Whether `name` is a keyword in Python, where it cannot even be the name of an argument.
#[must_use]
pub fn is_python_keyword(name: &str) -> bool {
    PYTHON.contains(&name)
}

/// Converts a text to an identifier: `create-issue` becomes `create_issue`, `3d` becomes `_3d`, `delete` becomes
/// `delete_`. Returns `None` if the text has no ASCII letter or digit.
///
/// ```
/// assert_eq!(isolette::naming::identifier("create-issue").as_deref(), Some("create_issue"));
/// ```
#[must_use]
pub fn identifier(text: &str) -> Option<String> {
    spelled(letters(text), is_keyword)
}

/// Returns the name of a tool as dialects without namespaces have it: every character other than an ASCII letter, a digit
/// and `_` becomes `_`. The guests do the same (`guest-python/isolette/dialects.py`, `guest-js/prelude/dialects.js`).
///
/// ```
/// assert_eq!(isolette::naming::flat("github.create-issue"), "github_create_issue");
/// ```
#[must_use]
pub fn flat(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect()
}

/// Returns the first of `name`, `name_2`, `name_3`, … for which `taken` is `false`.
#[must_use]
pub fn free(name: String, taken: impl Fn(&str) -> bool) -> String {
    if !taken(&name) {
        return name;
    }
    (2_u64..)
        .map(|number| {
            let end = format!("_{number}");
            format!("{}{end}", &name[..name.floor_char_boundary(LONGEST - end.len())])
        })
        .find(|name| !taken(name))
        .unwrap_or(name)
}

/// Returns the ASCII letters and digits of a text, with one `_` for each run of other characters between them.
/// Apostrophes are dropped.
pub fn letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().min(READ));
    for char in text.chars().take(READ) {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' => plain.push(char),
            '\'' | '’' => {}
            _ if plain.ends_with('_') => {}
            _ => plain.push('_'),
        }
    }
    plain.trim_matches('_').to_owned()
}

/// Makes an identifier from the result of [`letters`]: it is shortened if it is too long, and gets a `_` if `is_taken`.
/// Returns `None` if `letters` is empty.
pub fn spelled(letters: String, is_taken: fn(&str) -> bool) -> Option<String> {
    let name = match letters.chars().next()? {
        first if first.is_ascii_digit() => format!("_{letters}"),
        _ => letters,
    };
    let name = shortened(name);
    Some(if is_taken(&name) { format!("{name}_") } else { name })
}

/// Shortens a long name to its beginning and a hash of the whole, so that names with the same beginning stay different,
/// regardless of their order.
fn shortened(name: String) -> String {
    if name.len() < LONGEST {
        return name;
    }
    let digest: String = Sha256::digest(&name).iter().take(DIGEST / 2).map(|byte| format!("{byte:02x}")).collect();
    format!("{}_{digest}", name[..name.floor_char_boundary(LONGEST - DIGEST - 2)].trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_cannot_be_written_is_not_an_identifier() {
        for name in ["", "1a", "a-b", "a b", "é", "a.b"] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(is_keyword("delete") && is_keyword("lambda") && !is_keyword("create_issue"));
        assert!(!is_python_keyword("delete") && is_python_keyword("lambda"));
    }

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
    }

    #[test]
    fn long_names_stay_apart() {
        let [one, other] = ["One", "Other"].map(|end| identifier(&format!("{}{end}", "LongName".repeat(10))).unwrap());
        assert!(one != other && one.len() <= LONGEST && one.starts_with("LongNameLongName"), "{one}");
    }

    #[test]
    fn the_second_of_a_name_gets_a_number() {
        let mut taken: Vec<String> = Vec::new();
        for name in ["a", "a", "a_2", "a"] {
            let name = free(name.into(), |name| taken.iter().any(|other| other == name));
            taken.push(name);
        }
        assert_eq!(taken, ["a", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(LONGEST);
        assert_eq!(free(long.clone(), |name| name == long), format!("{}_2", "x".repeat(LONGEST - 2)));
    }

    proptest! {
        #[test]
        fn every_text_gives_an_identifier_or_nothing(text in ".*") {
            if let Some(name) = identifier(&text) {
                prop_assert!(name.len() <= LONGEST && is_identifier(&name) && !is_keyword(&name), "{name}");
            }
        }
    }
}
