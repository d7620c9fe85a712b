//! Secrets in a text that comes in parts.

use super::Redaction;

/// Lets a text through part for part, without the secrets. What may be the beginning of one is kept back until it is
/// known whether it is: less than the longest secret, unless secrets follow upon each other.
#[derive(Clone, Debug, Default)]
pub struct RedactedStream {
    redaction: Redaction,
    held: String,
}

impl RedactedStream {
    pub(super) fn new(redaction: Redaction) -> Self {
        Self { redaction, held: String::new() }
    }

    /// Takes the next part, and gives back what can be shown by now.
    #[must_use]
    pub fn push(&mut self, part: &str) -> String {
        self.held.push_str(part);
        let end = self.shown();
        let shown = self.redaction.text(&self.held[..end]);
        self.held.drain(..end);
        shown
    }

    /// What was kept back, now that nothing follows.
    #[must_use]
    pub fn finish(&mut self) -> String {
        self.redaction.text(&std::mem::take(&mut self.held))
    }

    /// How far the text is decided: up to the first place at which a secret may have begun.
    fn shown(&self) -> usize {
        let longest = self.redaction.forms.iter().map(|form| form.expose().len()).max().unwrap_or_default();
        let first = self.held.ceil_char_boundary(self.held.len().saturating_sub(longest.saturating_sub(1)));
        let begins = |at: usize| {
            let rest = &self.held[at..];
            self.redaction.forms.iter().any(|form| form.expose().len() > rest.len() && form.expose().starts_with(rest))
        };
        let mut places = self.held[first..].char_indices().map(|(offset, _)| first + offset);
        let end = places.find(|at| begins(*at)).unwrap_or(self.held.len());
        // A secret that is there in whole may reach into one that is yet to come.
        let places = self.redaction.places(self.held.as_bytes());
        places.iter().find(|(from, to)| *from < end && end < *to).map_or(end, |(from, _)| *from)
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
    }
}
