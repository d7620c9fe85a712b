//! Decides which names a program can write, and makes names for types.

use crate::{naming::is_identifier, naming::is_keyword, naming::is_python_keyword};

/// Names that a type must not have: those that stubs import, and built-in ones.
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

/// Maximum length of a type name in bytes. Longer names are truncated.
const LONGEST: usize = 60;

/// Whether a function or a namespace can have the name in both languages.
pub(super) fn is_callable(name: &str) -> bool {
    is_identifier(name) && !is_keyword(name)
}

/// The name of a parameter in Python. A keyword gets a `_` at its end, which the call removes again.
pub(super) fn python_parameter(name: &str) -> Option<String> {
    if !is_identifier(name) {
        return None;
    }
    Some(if is_python_keyword(name) { format!("{name}_") } else { name.to_owned() })
}

/// A name for a type: `issue-comment_v2` becomes `IssueCommentV2`.
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
    if TAKEN.contains(&name.as_str()) || is_keyword(&name) {
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
    fn keywords_cannot_be_called() {
        assert!(is_callable("create_issue") && !is_callable("delete") && !is_callable("lambda"));
    }
}
