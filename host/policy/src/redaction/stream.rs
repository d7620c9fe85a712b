//! Redacts secrets in a text that arrives in parts.

use super::Redaction;
use isolette_work::Work;

/// Redacts a text part by part. Text that may be the beginning of a secret is held back until the following text
/// decides: less than the longest secret in its longest encoding, unless secrets follow each other directly.
#[derive(Clone, Debug, Default)]
pub struct RedactedStream {
    redaction: Redaction,
    held: String,
}

impl RedactedStream {
    pub(super) fn new(redaction: Redaction) -> Self {
        Self { redaction, held: String::new() }
    }

    /// Adds the next part, and returns the redacted text that is decided by now.
    #[must_use]
    pub fn push(&mut self, part: &str) -> String {
        self.held.push_str(part);
        let end = self.shown();
        let shown = self.redaction.text(&self.held[..end]);
        self.held.drain(..end);
        shown
    }

    /// Returns the redacted text that was held back, once no more text follows.
    #[must_use]
    pub fn finish(&mut self) -> String {
        self.redaction.text(&std::mem::take(&mut self.held))
    }

    /// Returns how far the text is decided: up to the first position at which an incomplete secret may begin.
    fn shown(&self) -> usize {
        let held = self.held.as_bytes();
        let end = self.redaction.beginning(held).unwrap_or(held.len());
        // A complete secret may overlap with one that is still incomplete.
        let places = self.redaction.places(held, &Work::new(u64::MAX));
        let end = places.iter().find(|(from, to)| *from < end && end < *to).map_or(end, |(from, _)| *from);
        self.held.floor_char_boundary(end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_secret_in_two_parts_is_found() {
        let mut stream = Redaction::new(["hunter2"]).stream();
        let shown: Vec<String> = ["a hun", "ter", "2 b hu", "m"].iter().map(|part| stream.push(part)).collect();
        assert_eq!(shown, ["a ", "", "[redacted] b ", "hum"]);
        assert_eq!(stream.push("hunter"), "");
        assert_eq!(stream.finish(), "hunter");
    }

    proptest! {
        #[test]
        fn parts_show_what_the_whole_would(
            secrets in prop::collection::vec("[ab]{4,6}", 0..4),
            parts in prop::collection::vec("[abé]{0,5}", 0..12),
        ) {
            let redaction = Redaction::new(secrets.iter().map(String::as_str));
            let mut stream = redaction.stream();
            let mut shown: String = parts.iter().map(|part| stream.push(part)).collect();
            shown.push_str(&stream.finish());
            for secret in &secrets {
                prop_assert!(!shown.contains(secret.as_str()), "{shown}");
            }
            prop_assert_eq!(shown, redaction.text(&parts.concat()));
        }

        #[test]
        fn parts_show_what_the_whole_would_in_any_writing(
            secrets in prop::collection::vec("[a/%]{4,5}", 1..3),
            parts in prop::collection::vec("(a|/|%|\\\\|%61|%2f|%2F|\\\\/|\\\\u002f|\\\\u0061|%25|2|é){0,4}", 0..10),
            cuts in prop::collection::vec(0..9_usize, 0..20),
        ) {
            let redaction = Redaction::new(secrets.iter().map(String::as_str));
            let whole = parts.concat();
            let (mut stream, mut shown, mut rest) = (redaction.stream(), String::new(), whole.as_str());
            for cut in cuts {
                let (part, after) = rest.split_at(rest.floor_char_boundary(cut));
                shown.push_str(&stream.push(part));
                rest = after;
            }
            shown.push_str(&stream.push(rest));
            shown.push_str(&stream.finish());
            prop_assert_eq!(shown, redaction.text(&whole));
        }
    }
}
