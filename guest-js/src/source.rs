//! The text of a program, freed from what is around it.

use std::borrow::Cow;

/// What the engine is to read. Lines are those of the program: the first one after an opening fence is line 1.
pub(crate) fn program(code: &str) -> Cow<'_, str> {
    let code = code.strip_prefix('\u{feff}').unwrap_or(code);
    let code = without_fence(code);
    // The engine takes its text from C, and would end it there. What is meant can only be a character of a string.
    if code.contains('\0') { Cow::Owned(code.replace('\0', "\\x00")) } else { Cow::Borrowed(code) }
}

/// Models put programs between ``` and ```, with the name of the language behind the first.
fn without_fence(code: &str) -> &str {
    let Some(inner) = code.trim().strip_prefix("```") else { return code };
    let Some((tag, rest)) = inner.split_once('\n') else {
        return inner.strip_suffix("```").unwrap_or(code);
    };
    if tag.trim().contains(char::is_whitespace) || tag.contains('`') {
        return code;
    }
    rest.trim_end().strip_suffix("```").unwrap_or(rest)
}
