//! Texts that come from elsewhere, where they can end nothing: comments and string literals.

use serde_json::Value;

/// Nothing for no text.
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

/// A string literal; JSON's are JavaScript's, but for two line breaks that older parsers take for such.
pub(super) fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
