//! Finds the known names that resemble an unknown name, for suggestions.

use std::ops::RangeInclusive;

use strsim::jaro_winkler;

use crate::Work;

/// Longer names are not compared: no user types them, and the cost of a comparison grows with the square of their
/// length.
const LONGEST: usize = 128;
/// Maximum number of steps, each of about a dozen compared pairs of characters: enough for some thousand names.
const STEPS: u64 = 4_000_000;
/// Minimum Jaro-Winkler similarity (0 to 1) of two names that are regarded as similar.
const LIKENESS: f64 = 0.82;

/// Returns those of `others` that resemble `word`, the most similar first; at most `limit`, and none below a minimum
/// similarity. Case is ignored, and names longer than 128 bytes are not compared.
#[must_use]
pub fn nearest<'a>(word: &str, others: impl Iterator<Item = &'a str>, limit: usize) -> Vec<&'a str> {
    let word = word.to_lowercase();
    if word.len() > LONGEST {
        return Vec::new();
    }
    let likeness = |other: &str| {
        let other = other.to_lowercase();
        // Users often remember only the part behind the dot.
        let last = other.rsplit('.').next().unwrap_or_default();
        let wanted = word.rsplit('.').next().unwrap_or_default();
        let whole = jaro_winkler(&word, &other);
        if wanted.is_empty() { whole } else { whole.max(jaro_winkler(wanted, last) * 0.99) }
    };
    let work = Work::new(STEPS);
    let steps = |other: &str| if other.len() > LONGEST { 1 } else { 1 + (word.len() * other.len() / 12) as u64 };
    let near = others
        .take_while(|other| work.step(steps(other)))
        .filter(|other| other.len() <= LONGEST)
        .map(|other| (likeness(other), other));
    let mut near: Vec<(f64, &str)> = near.filter(|(likeness, _)| *likeness >= LIKENESS).collect();
    near.sort_by(|left, right| right.0.total_cmp(&left.0));
    near.into_iter().take(limit).map(|(_, other)| other).collect()
}

/// Returns the lengths, in characters, that a word can have that differs from this one by at most two typing errors.
pub fn near_lengths(word: &str) -> RangeInclusive<usize> {
    let length = word.chars().count();
    length.saturating_sub(2)..=length + 2
}

/// Returns whether two words differ by at most one typing error or, from eight characters on, two: an additional
/// character, a missing one, another one, or two in the wrong order. Words with different first characters are never
/// near, nor is a `word` of fewer than 4 or more than 128 characters.
pub fn is_near(word: &str, other: &str) -> bool {
    let (word, other): (Vec<char>, Vec<char>) = (word.chars().collect(), other.chars().collect());
    if !(4..=LONGEST).contains(&word.len()) || word.len().abs_diff(other.len()) > 2 {
        return false;
    }
    let slips = if word.len() < 8 { 1 } else { 2 };
    word.first() == other.first() && is_within(&word, &other, slips)
}

/// Returns whether one word becomes another with at most `slips` typing errors. It compares only characters at most
/// `slips` positions apart, so that its time grows with the length of the words and not with the square of it.
fn is_within(word: &[char], other: &[char], slips: usize) -> bool {
    let far = slips + 1;
    // Three rows of the table of all prefixes are enough.
    let mut rows = [vec![far; other.len() + 1], vec![far; other.len() + 1], vec![far; other.len() + 1]];
    for (column, cell) in rows[0].iter_mut().enumerate() {
        *cell = column.min(far);
    }
    for row in 1..=word.len() {
        let (first, last) = (row.saturating_sub(slips), (row + slips).min(other.len()));
        let mut best = far;
        rows[row % 3].fill(far);
        for column in first..=last {
            let above = rows[(row - 1) % 3][column] + 1;
            let mut least = above.min(far);
            if column > 0 {
                let same = usize::from(word[row - 1] != other[column - 1]);
                least = least.min(rows[row % 3][column - 1] + 1).min(rows[(row - 1) % 3][column - 1] + same);
                if row > 1 && column > 1 && word[row - 1] == other[column - 2] && word[row - 2] == other[column - 1] {
                    least = least.min(rows[(row - 2) % 3][column - 2] + 1);
                }
            }
            rows[row % 3][column] = least;
            best = best.min(least);
        }
        if best > slips {
            return false;
        }
    }
    rows[word.len() % 3][other.len()] <= slips
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
    fn only_so_many_names_are_compared_however_many_there_are() {
        let (word, names) = ("x".repeat(LONGEST), "y".repeat(LONGEST));
        let mut compared = 0;
        let endless = std::iter::repeat_with(|| {
            compared += 1;
            names.as_str()
        });
        assert_eq!(nearest(&word, endless, 3), [""; 0]);
        assert!(compared <= STEPS / (LONGEST * LONGEST / 12) as u64, "{compared}");
        // Names that are too long to be compared are skipped, which is a step as well.
        let too_long = "z".repeat(LONGEST + 1);
        assert_eq!(nearest(&word, std::iter::repeat(too_long.as_str()), 3), [""; 0]);
    }

    #[test]
    fn short_words_have_to_be_right() {
        assert!(is_near("brewrey", "brewery") && is_near("isue", "issue"));
        assert!(!is_near("cat", "cut") && !is_near("file", "tile") && !is_near("user", "order"));
    }

    #[test]
    fn slips_are_counted_as_in_the_whole_table() {
        let words =
            ["", "a", "ab", "ba", "abc", "acb", "abcd", "abdc", "badc", "abcde", "bcde", "axcye", "edcba", "aabbcc"];
        for (one, other) in words.iter().flat_map(|one| words.map(|other| (*one, other))) {
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            for slips in 1..3 {
                let expected = strsim::osa_distance(one, other) <= slips;
                assert_eq!(is_within(&characters(one), &characters(other), slips), expected, "{one} {other} {slips}");
            }
        }
    }
}
