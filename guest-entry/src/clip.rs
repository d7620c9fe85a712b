//! Truncation of long text.

use std::borrow::Cow;

/// Returns at most `limit` bytes of `text`. A longer text ends with a marker that states how many bytes were cut; `limit` must
/// leave room for the marker.
pub(crate) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    // The length of the marker depends on the number in it, which is at most the length of the text.
    let keep = text.floor_char_boundary(limit.saturating_sub(marker(text.len()).len()));
    Cow::Owned(format!("{}{}", &text[..keep], marker(text.len() - keep)))
}

fn marker(cut: usize) -> String {
    format!("… [{cut} bytes cut]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_unchanged() {
        assert!(matches!(clip("hällo", 6), Cow::Borrowed("hällo")));
        assert_eq!(clip("", 0), "");
    }

    #[test]
    fn long_text_ends_with_the_number_of_bytes_cut() {
        let clipped = clip(&"a".repeat(1000), 100).into_owned();
        assert!(clipped.len() <= 100);
        let kept = clipped.find('…').unwrap_or_default();
        assert!(clipped.ends_with(&format!("[{} bytes cut]", 1000 - kept)), "{clipped}");
    }

    #[test]
    fn characters_are_never_split() {
        for limit in 40..60 {
            let clipped = clip(&"😀".repeat(50), limit).into_owned();
            assert!(clipped.len() <= limit && clipped.starts_with('😀'));
        }
    }
}
