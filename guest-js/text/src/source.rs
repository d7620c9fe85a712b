//! Normalisation of the text of a program.

use std::borrow::Cow;

/// Returns the text for the engine. Line numbers do not change.
pub fn program(code: &str) -> Cow<'_, str> {
    let code = code.strip_prefix('\u{feff}').unwrap_or(code);
    let code = without_fence(code);
    // The engine reads a C string, which a zero byte would end. Such a byte can only be part of a string.
    if code.contains('\0') { Cow::Owned(code.replace('\0', "\\x00")) } else { code }
}

/// Models put programs between ``` and ```, with the name of the language after the first.
fn without_fence(code: &str) -> Cow<'_, str> {
    let text = code.trim_start();
    let Some(fence) = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence)) else {
        return Cow::Borrowed(code);
    };
    let Some((tag, rest)) = text[fence.len()..].split_once('\n') else {
        let inside = text[fence.len()..].trim_end();
        return Cow::Borrowed(inside.strip_suffix(fence).unwrap_or(code));
    };
    // A program may begin with a template, although that is unlikely.
    if tag.contains('`') || tag.trim().contains(char::is_whitespace) {
        return Cow::Borrowed(code);
    }
    let lines_before = code[..code.len() - rest.len()].matches('\n').count();
    let mut end = rest.len();
    for (start, line) in lines(rest) {
        if line.trim() == fence {
            end = start;
        }
    }
    Cow::Owned("\n".repeat(lines_before) + &rest[..end])
}

/// The lines of a text, each with its position.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

#[cfg(test)]
mod tests {
    use super::program;

    #[test]
    fn fences_go_and_lines_stay() {
        assert_eq!(program("```js\na\nb\n```\n"), "\na\nb\n");
        assert_eq!(program("\n```\na\n"), "\n\na\n");
        assert_eq!(program("~~~javascript\r\na\r\n~~~"), "\na\r\n");
        assert_eq!(program("```js\nx = `\n```js\n`\n```\nThis adds one."), "\nx = `\n```js\n`\n");
        assert_eq!(program("```1 + 1```"), "1 + 1");
    }

    #[test]
    fn other_programs_stay() {
        for code in ["a\n```\nb", "`a`", "``", "```a b\nc```", "", "a ```"] {
            assert_eq!(program(code), code);
        }
    }

    #[test]
    fn marks_and_nulls() {
        assert_eq!(program("\u{feff}a"), "a");
        assert_eq!(program("'a\0b'"), "'a\\x00b'");
    }
}
