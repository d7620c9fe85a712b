//! Names that programs can write: `namespace.tool` and the names of arguments.

use heck::ToSnakeCase as _;
use sha2::{Digest as _, Sha256};

/// Bytes of each part of a name.
const LONGEST: usize = 64;
/// Bytes of what stands for the rest of a name that is too long.
const DIGEST: usize = 8;

/// Words of Python that no name may be.
const PYTHON: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Those of JavaScript besides.
const JAVASCRIPT: [&str; 32] = [
    "arguments",
    "case",
    "catch",
    "const",
    "debugger",
    "default",
    "delete",
    "do",
    "enum",
    "eval",
    "export",
    "extends",
    "false",
    "function",
    "implements",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "typeof",
    "var",
];
const JAVASCRIPT_TOO: [&str; 1] = ["void"];

/// A name in snake case that is an identifier in both languages and a keyword in none. `fallback` stands in for a text
/// without any letter or digit.
pub(super) fn snake(text: &str, fallback: &str) -> String {
    let name = identifier(&plain(text).to_snake_case(), fallback);
    let name = shorten(name, LONGEST);
    let keyword = |words: &[&str]| words.contains(&name.as_str());
    if keyword(&PYTHON) || keyword(&JAVASCRIPT) || keyword(&JAVASCRIPT_TOO) { format!("{name}_") } else { name }
}

/// The name of an argument: as the document spells it, as far as Python has keyword arguments of that name.
pub(super) fn argument(text: &str) -> String {
    let name = shorten(identifier(&plain(text), "value"), LONGEST);
    if PYTHON.contains(&name.as_str()) { format!("{name}_") } else { name }
}

/// The first of `name`, `name_2`, `name_3`, … that is not taken.
pub(super) fn free(name: String, taken: impl Fn(&str) -> bool) -> String {
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

/// Letters and digits of ASCII; whatever is between them is one `_`.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().min(1024));
    for char in text.chars().take(1024) {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' => plain.push(char),
            '\'' | '’' => {}
            _ if plain.ends_with('_') => {}
            _ => plain.push('_'),
        }
    }
    plain.trim_matches('_').to_owned()
}

fn identifier(name: &str, fallback: &str) -> String {
    match name.chars().next() {
        None => fallback.to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        Some(_) => name.to_owned(),
    }
}

/// What a long name begins with, and what tells it from others that begin so, whichever of them come first.
fn shorten(name: String, limit: usize) -> String {
    if name.len() < limit {
        return name;
    }
    let digest: String = Sha256::digest(&name).iter().take(DIGEST / 2).map(|byte| format!("{byte:02x}")).collect();
    format!("{}_{digest}", name[..name.floor_char_boundary(limit - DIGEST - 2)].trim_end_matches('_'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_what_a_person_would_make_of_them() {
        for (text, name) in [
            ("listBreweries", "list_breweries"),
            ("repos/list-for-org", "repos_list_for_org"),
            ("getAPIKeys", "get_api_keys"),
            ("Pets.Get_By-Id", "pets_get_by_id"),
            ("get /users/{id}/posts", "get_users_id_posts"),
            ("delete", "delete_"),
            ("Import", "import_"),
            ("3dRender", "_3d_render"),
            ("Überblick", "berblick"),
            ("列表", "operation"),
            ("", "operation"),
        ] {
            assert_eq!(snake(text, "operation"), name, "{text}");
        }
        for (text, name) in [
            ("perPage", "perPage"),
            ("filter[name]", "filter_name"),
            ("X-Request-ID", "X_Request_ID"),
            ("from", "from_"),
            ("$top", "top"),
            ("2fa", "_2fa"),
            ("type", "type"),
        ] {
            assert_eq!(argument(text), name);
        }
    }

    #[test]
    fn long_names_stay_apart() {
        let [one, other] = ["One", "Other"].map(|end| snake(&format!("{}{end}", "LongName".repeat(10)), "x"));
        assert!(one != other && one.len() <= LONGEST && one.starts_with("long_name_long_name"), "{one}");
        assert_eq!(free("a".into(), |name| name == "a" || name == "a_2"), "a_3");
    }

    proptest! {
        #[test]
        fn every_text_gives_an_identifier(text in ".*") {
            for name in [snake(&text, "operation"), argument(&text)] {
                prop_assert!(name.len() <= LONGEST);
                prop_assert!(!name.starts_with(|char: char| char.is_ascii_digit()));
                prop_assert!(!name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
                prop_assert!(!PYTHON.contains(&name.as_str()));
            }
        }
    }
}
