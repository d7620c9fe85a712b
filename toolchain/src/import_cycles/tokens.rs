//! Splits the text of a Rust source file into the tokens that paths consist of.
//!
//! Comments, literals and lifetimes are omitted.

/// A word, `::`, or one other character, and the number of the line that it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

impl Token<'_> {
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|first: char| first == '_' || first.is_alphabetic())
    }
}

pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (source, 1);
    while !rest.is_empty() {
        let (length, is_token) = next(rest);
        let (text, behind) = rest.split_at(length);
        if is_token {
            tokens.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = behind;
    }
    tokens
}

/// The length of the first item of `rest`, and whether it is a token.
fn next(rest: &str) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if rest.starts_with("/*") {
        return (comment(rest), false);
    }
    if rest.starts_with("::") {
        return (2, true);
    }
    let first = rest.chars().next().unwrap_or_default();
    match first {
        '"' => (string(rest), false),
        '\'' => (character_or_lifetime(rest), false),
        '0'..='9' => (word(rest), false),
        _ if first == '_' || first.is_alphabetic() => word_or_literal(rest),
        _ => (first.len_utf8(), !first.is_whitespace()),
    }
}

fn word(rest: &str) -> usize {
    rest.find(|character: char| character != '_' && !character.is_alphanumeric()).unwrap_or(rest.len())
}

/// Words such as `r` and `b` may be the prefix of a literal, and `r#` that of an identifier.
fn word_or_literal(rest: &str) -> (usize, bool) {
    let length = word(rest);
    let (prefix, behind) = rest.split_at(length);
    let hashes = behind.len() - behind.trim_start_matches('#').len();
    match prefix {
        "r" | "br" | "cr" if behind[hashes..].starts_with('"') => {
            let end = format!("\"{}", &behind[..hashes]);
            let content = length + hashes + 1;
            (rest[content..].find(&end).map_or(rest.len(), |at| content + at + end.len()), false)
        }
        "r" if hashes == 1 => (length + 1 + word(&behind[1..]), true),
        "b" | "c" if behind.starts_with('"') => (length + string(behind), false),
        "b" if behind.starts_with('\'') => (length + character_or_lifetime(behind), false),
        _ => (length, true),
    }
}

/// Block comments can be nested.
fn comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        match &rest.as_bytes()[at..] {
            [b'/', b'*', ..] => depth += 1,
            [b'*', b'/', ..] => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn string(rest: &str) -> usize {
    until(rest, '"')
}

/// The length up to and including the next `end` that no backslash precedes. The first character is not looked at.
fn until(rest: &str, end: char) -> usize {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        if character == end && !escaped {
            return at + character.len_utf8();
        }
        escaped = character == '\\' && !escaped;
    }
    rest.len()
}

fn character_or_lifetime(rest: &str) -> usize {
    let mut characters = rest[1..].chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), _) | (_, Some('\'')) => until(rest, '\''),
        _ => 1 + word(&rest[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::tokens;

    fn texts(source: &str) -> Vec<&str> {
        tokens(source).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn paths_and_marks_are_kept() {
        assert_eq!(
            texts("use crate::a::{b, r#type};"),
            ["use", "crate", "::", "a", "::", "{", "b", ",", "r#type", "}", ";"]
        );
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(texts("a // use crate::b;\n/* crate::c /* crate::d */ crate::e */ f //"), ["a", "f"]);
    }

    #[test]
    fn literals_are_left_out() {
        assert_eq!(
            texts(r##"a "crate::b \" crate::c" r#"crate::d " crate::e"# b"crate::f" c"g" br"h" i"##),
            ["a", "i"]
        );
        assert_eq!(texts(r"a '\'' b '\\' c '{' d b'\'' e '\u{1f}' f 'ä' g"), ["a", "b", "c", "d", "e", "f", "g"]);
        assert_eq!(texts("0..10 1_000u64 0xff"), [".", "."]);
    }

    #[test]
    fn lifetimes_are_left_out() {
        assert_eq!(
            texts("fn a<'js>(b: &'js C) -> D<'_>"),
            ["fn", "a", "<", ">", "(", "b", ":", "&", "C", ")", "-", ">", "D", "<", ">"]
        );
    }

    #[test]
    fn lines_are_counted_in_whatever_is_left_out() {
        let source = "a\n/*\n*/ \"\n\\\n\" b";
        assert_eq!(tokens(source).last().unwrap().line, 5);
    }
}
