//! Normalisation of the text of a program.

use std::borrow::Cow;

use crate::fences;

/// Returns the text for the engine. Line numbers do not change.
pub fn program(code: &str) -> Cow<'_, str> {
    let code = code.strip_prefix('\u{feff}').unwrap_or(code);
    // Models put programs between ``` and ```, with the name of the language after the first.
    let inside = fences::whole(code).or_else(|| fences::after_label(code).map(Cow::Owned));
    without_nulls(inside.unwrap_or(Cow::Borrowed(code)))
}

/// Returns the program in a text whose [`program`] is not valid, if it is Markdown with one in it. Line numbers do not change.
pub fn in_markdown(code: &str) -> Option<String> {
    fences::blocks(code).map(|text| without_nulls(Cow::Owned(text)).into_owned())
}

/// The engine reads a C string, which a zero byte would end. Such a byte can only be part of a string.
fn without_nulls(code: Cow<'_, str>) -> Cow<'_, str> {
    if code.contains('\0') { Cow::Owned(code.replace('\0', "\\x00")) } else { code }
}

#[cfg(test)]
mod tests {
    use super::{in_markdown, program};

    #[test]
    fn fences_go_and_lines_stay() {
        assert_eq!(program("```js\na\nb\n```\n"), "\na\nb\n");
        assert_eq!(program("\n```\na\n"), "\n\na\n");
        assert_eq!(program("~~~javascript\r\na\r\n~~~"), "\na\r\n");
        assert_eq!(program("```js\nx = `\n```js\n`\n```\nThis adds one."), "\nx = `\n```js\n`\n");
        assert_eq!(program("```1 + 1```"), "1 + 1");
        assert_eq!(program("So:\n\n```\na\n```\nThen:\n```\n"), "\n\n\na\n");
        assert_eq!(program("````js\nx = `\n```\n`\n````\nText"), "\nx = `\n```\n`\n");
        assert_eq!(program("  ```js\n  a\n    b\n  ```"), "\na\n  b\n");
    }

    #[test]
    fn other_programs_stay() {
        for code in ["a\n```\nb", "`a`", "``", "```a b\nc```", "", "a ```"] {
            assert_eq!(program(code), code);
        }
    }

    #[test]
    fn programs_are_found_in_markdown() {
        let found = |code| in_markdown(code).unwrap_or_default();
        assert_eq!(found("Here it is:\n```js\na\n```\nIt's b.\n"), "\n\na\n");
        assert_eq!(found("```sh\nnpm i\n```\n```js\na\n```\nand\n~~~ts\nb\n~~~"), "\n\n\n\na\n\n\n\nb\n");
        assert_eq!(found("1. One\n   ```\n   a\n   ```\n2. Two"), "\n\na\n");
        assert_eq!(found("One\n````js\n`\n```\n`\n````"), "\n\n`\n```\n`\n");
        assert_eq!(found("One\n```javascript\na"), "\n\na");
    }

    #[test]
    fn a_text_that_may_mean_several_programs_has_none() {
        for code in ["a b", "One\n```\na\n```\n```\nb\n```", "a b\n```\nc", "One\n```python\na\n```", "a ```js b```"] {
            assert_eq!(in_markdown(code), None, "{code}");
        }
    }

    #[test]
    fn marks_and_nulls() {
        assert_eq!(program("\u{feff}a"), "a");
        assert_eq!(program("'a\0b'"), "'a\\x00b'");
    }
}
