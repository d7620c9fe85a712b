//! What somebody probably meant.

use strsim::{damerau_levenshtein, jaro_winkler};

/// Longer words are not compared: nobody types them, and comparing takes the square of their length.
const LONGEST: usize = 128;
/// Below this, two names have little in common.
const LIKENESS: f64 = 0.82;

/// Those of some words that are most like one, best first; at most `limit`, and none that has little in common with it.
#[must_use]
pub fn nearest<'a>(word: &str, others: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let word = word.to_lowercase();
    if word.len() > LONGEST {
        return Vec::new();
    }
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        // The part behind the dot is often all that somebody remembers.
        let last = other.rsplit('.').next().unwrap_or_default();
        let wanted = word.rsplit('.').next().unwrap_or_default();
        let whole = jaro_winkler(&word, &other);
        if wanted.is_empty() { whole } else { whole.max(jaro_winkler(wanted, last) * 0.99) }
    };
    let near = others.filter(|other| other.len() <= LONGEST).map(|other| (likeness(other), other));
    let mut near: Vec<(f64, &str)> = near.filter(|(likeness, _)| *likeness >= LIKENESS).collect();
    near.sort_by(|left, right| right.0.total_cmp(&left.0));
    near.into_iter().take(limit).map(|(_, other)| other).collect()
}

/// Whether two words are the same but for a slip or, if they are long, two.
pub(super) fn is_near(word: &str, other: &str) -> bool {
    let (length, other_length) = (word.chars().count(), other.chars().count());
    if !(4..=LONGEST).contains(&length) || length.abs_diff(other_length) > 2 {
        return false;
    }
    let slips = if length < 8 { 1 } else { 2 };
    word.chars().next() == other.chars().next() && damerau_levenshtein(word, other) <= slips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_seen_through() {
        let names = ["github.create_issue", "github.list_issues", "weather.forecast"];
        let of = |word| nearest(word, names.into_iter(), 3);
        assert_eq!(of("github.create_isue")[0], "github.create_issue");
        assert_eq!(of("forecast"), ["weather.forecast"]);
        assert_eq!(of("Weather.Forcast"), ["weather.forecast"]);
        assert_eq!(of("zzz"), [""; 0]);
        assert_eq!(of(&"f".repeat(1000)), [""; 0]);
    }

    #[test]
    fn short_words_have_to_be_right() {
        assert!(is_near("brewrey", "brewery") && is_near("isue", "issue"));
        assert!(!is_near("cat", "cut") && !is_near("file", "tile") && !is_near("user", "order"));
    }
}
