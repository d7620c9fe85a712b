//! Changes to a text.

/// Changes that do not overlap, in any order.
#[derive(Default)]
pub(super) struct Edits(Vec<(usize, usize, String)>);

impl Edits {
    /// Puts `text` in the place of what is between `start` and `end`.
    pub(super) fn replace(&mut self, start: usize, end: usize, text: impl Into<String>) {
        self.0.push((start, end, text.into()));
    }

    /// Puts `text` in the place of what is between `start` and `end`, and keeps the line breaks that were there.
    pub(super) fn replace_lines(&mut self, source: &str, start: usize, end: usize, text: &str) {
        let breaks = source[start..end].matches('\n').count();
        self.replace(start, end, text.to_owned() + &"\n".repeat(breaks));
    }

    /// The changed text, or nothing if there are no changes.
    pub(super) fn apply(mut self, source: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        // Stable: of two insertions in one place the first comes first.
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
