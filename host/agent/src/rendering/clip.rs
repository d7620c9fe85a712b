//! Cuts texts to a length that a model can read.

/// A text of bounded length.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Clipped {
    /// The whole text, or its beginning and end with a mark between them that says how much is omitted.
    pub text: String,
    /// Length of the whole text in characters.
    pub characters: usize,
    /// Number of omitted characters.
    pub omitted: usize,
}

/// Estimates the number of tokens of a text: a quarter of its characters, rounded up. English prose has about that
/// many; code and other languages have more.
#[must_use]
pub fn estimate_tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

/// Returns the text if it has at most `limit` characters, else its beginning and its end. The mark between them says
/// how much is omitted and, if `full` is given, where the whole text is.
///
/// ```
/// let clipped = isolette_agent::rendering::clip("0123456789", 6, Some("/output/all.txt"));
/// assert_eq!(clipped.text, "0123\n[4 of 10 characters left out; all of it is in /output/all.txt]\n89");
/// assert_eq!(clipped.omitted, 4);
/// ```
#[must_use]
pub fn clip(text: &str, limit: usize, full: Option<&str>) -> Clipped {
    let characters = text.chars().count();
    if characters <= limit {
        return Clipped { text: text.to_owned(), characters, omitted: 0 };
    }
    // The beginning of a text is usually more informative than its end, so it gets more room.
    let tail = limit / 3;
    let head = limit - tail;
    let offset = |position: usize| text.char_indices().nth(position).map_or(text.len(), |(offset, _)| offset);
    let omitted = characters - limit;
    let place = full.map(|place| format!("; all of it is in {place}")).unwrap_or_default();
    Clipped {
        text: format!(
            "{}\n[{omitted} of {characters} characters left out{place}]\n{}",
            &text[..offset(head)],
            &text[offset(characters - tail)..]
        ),
        characters,
        omitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_left_alone() {
        assert_eq!(clip("äöü", 3, None), Clipped { text: "äöü".into(), characters: 3, omitted: 0 });
    }

    #[test]
    fn counts_are_of_characters() {
        let clipped = clip(&"ä".repeat(100), 10, None);
        assert_eq!((clipped.characters, clipped.omitted), (100, 90));
        assert_eq!(clipped.text.matches('ä').count(), 10);
    }

    #[test]
    fn tokens_are_a_quarter_of_the_characters() {
        assert_eq!([0, 1, 4, 5].map(|count| estimate_tokens(&"x".repeat(count))), [0, 1, 1, 2]);
    }
}
