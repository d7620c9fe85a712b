//! Cutting text that is too long for what carries it.

use std::borrow::Cow;

/// At most `limit` bytes of `text`; if it is longer, its end says how much was cut. `limit` has room for that.
pub(crate) fn clip(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    // The marker's length depends on how much is cut; the largest number there is says how long it can be.
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
    fn short_text_stays_as_it_is() {
        assert!(matches!(clip("hällo", 6), Cow::Borrowed("hällo")));
        assert_eq!(clip("", 0), "");
    }

    #[test]
    fn long_text_says_how_much_is_missing() {
        let clipped = clip(&"a".repeat(1000), 100).into_owned();
        assert!(clipped.len() <= 100);
        let kept = clipped.find('…').unwrap_or_default();
        assert!(clipped.ends_with(&format!("[{} bytes cut]", 1000 - kept)), "{clipped}");
    }

    #[test]
    fn characters_are_never_cut_in_two() {
        for limit in 40..60 {
            let clipped = clip(&"😀".repeat(50), limit).into_owned();
            assert!(clipped.len() <= limit && clipped.starts_with('😀'));
        }
    }
}
