//! Escapes third-party text for comments and string literals, so that it cannot end them.

use serde_json::Value;

/// A documentation comment; empty for an empty text.
pub(in crate::declarations) fn comment(text: &str) -> String {
    let clean = |line: &str| -> String {
        let line = line.replace("*/", "*\\/");
        line.chars().map(|character| if is_break(character) { ' ' } else { character }).collect()
    };
    let lines: Vec<String> = text.trim().lines().map(|line| clean(line.trim_end())).collect();
    match lines.as_slice() {
        [] => String::new(),
        [line] => format!("/** {line} */\n"),
        lines => {
            let lines: Vec<String> = lines.iter().map(|line| format!(" * {line}").trim_end().to_owned()).collect();
            format!("/**\n{}\n */\n", lines.join("\n"))
        }
    }
}

fn is_break(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

pub(super) fn indented(text: &str) -> String {
    text.lines()
        .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

/// A string literal. JSON string literals are valid JavaScript, except for two characters that older parsers treat as
/// line breaks.
pub(super) fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
