//! Texts for readers with little room.

use std::borrow::Cow;

/// A text of at most `limit` characters, with `…` where it was cut.
pub fn clipped(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", text[..end].trim_end())),
        None => Cow::Borrowed(text),
    }
}
