//! Which names a program can write, and names for types.

/// No function can be called one of these, in one of the two languages.
const KEYWORDS: [&str; 72] = [
    "False",
    "None",
    "True",
    "and",
    "arguments",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "def",
    "default",
    "del",
    "delete",
    "do",
    "elif",
    "else",
    "enum",
    "eval",
    "except",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "global",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "is",
    "lambda",
    "let",
    "new",
    "nonlocal",
    "not",
    "null",
    "or",
    "package",
    "pass",
    "private",
    "protected",
    "public",
    "raise",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "__debug__",
    "NaN",
    "Infinity",
];

const PYTHON_KEYWORDS: [&str; 36] = [
    "False",
    "None",
    "True",
    "__debug__",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
];

/// Types that stubs import, and what else a type must not be called.
const TAKEN: [&str; 12] = [
    "Any",
    "Array",
    "Boolean",
    "Literal",
    "Never",
    "NotRequired",
    "Number",
    "Object",
    "Record",
    "String",
    "Symbol",
    "TypedDict",
];

/// Longer ones are cut.
const LONGEST: usize = 60;

/// Whether it is an identifier in both languages.
pub(super) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && characters.all(|other| other.is_ascii_alphanumeric() || other == '_')
}

/// Whether a function or a namespace can have the name in both languages.
pub(super) fn is_callable(name: &str) -> bool {
    is_identifier(name) && !KEYWORDS.contains(&name)
}

/// What a parameter is called in Python: a keyword gets a `_` at its end, which the call takes off again.
pub(super) fn python_parameter(name: &str) -> Option<String> {
    if !is_identifier(name) {
        return None;
    }
    Some(if is_python_keyword(name) { format!("{name}_") } else { name.to_owned() })
}

pub(super) fn is_python_keyword(name: &str) -> bool {
    PYTHON_KEYWORDS.contains(&name)
}

/// A name for a type: `issue-comment_v2` is `IssueCommentV2`.
pub(super) fn type_name(text: &str) -> String {
    let mut name = String::new();
    for part in text.split(|character: char| !character.is_ascii_alphanumeric()).filter(|part| !part.is_empty()) {
        let (first, rest) = part.split_at(1);
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name.truncate(LONGEST);
    if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert_str(0, "Type");
    }
    if TAKEN.contains(&name.as_str()) || KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_types() {
        assert_eq!(type_name("issue-comment_v2"), "IssueCommentV2");
        assert_eq!(type_name("名前"), "Type");
        assert_eq!(type_name("3d"), "Type3d");
        assert_eq!(type_name("any"), "Any_");
        assert_eq!(type_name(&"x".repeat(1000)).len(), LONGEST);
    }

    #[test]
    fn what_cannot_be_written_is_not_an_identifier() {
        for name in ["", "1a", "a-b", "a b", "é", "a.b"] {
            assert!(!is_identifier(name), "{name}");
        }
        assert!(is_callable("create_issue") && !is_callable("delete") && !is_callable("lambda"));
    }
}
