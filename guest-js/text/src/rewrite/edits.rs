//! Edits of a text.

/// Edits that do not overlap, in any order.
#[derive(Default)]
pub(super) struct Edits(Vec<(usize, usize, String)>);

impl Edits {
    /// Replaces what is between `start` and `end` with `text`.
    pub(super) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.0.push((start, end, text.into()));
    }

    /// Replaces what is between `start` and `end` with `text`, and keeps the line breaks.
    pub(super) fn replace_lines(&mut self, source: &str, start: usize, end: usize, text: &str) {
        let breaks = source[start..end].matches('\n').count();
        self.replace(start, end, text.to_owned() + &"\n".repeat(breaks));
    }

    /// Returns the edited text, or `None` without edits.
    pub(super) fn apply(mut self, source: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        // The sort is stable: of two insertions at one position the first comes first.
        self.0.sort_by_key(|(start, end, _)| (*start, *end));
        let mut result = String::with_capacity(source.len() + 64);
        let mut at = 0;
        for (start, end, text) in &self.0 {
            result.push_str(source.get(at..*start)?);
            result.push_str(text);
            at = *end;
        }
        result.push_str(source.get(at..)?);
        Some(result)
    }
}
