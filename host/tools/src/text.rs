//! Shortens texts.

use std::borrow::Cow;

/// Returns at most `limit` characters of a text, followed by `…` if it was truncated.
pub fn clipped(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", text[..end].trim_end())),
        None => Cow::Borrowed(text),
    }
}
