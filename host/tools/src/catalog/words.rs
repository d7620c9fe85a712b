//! Splits names, descriptions and queries into words.

use rust_stemmers::{Algorithm, Stemmer};

/// Words that occur in nearly every description and therefore distinguish no tool. Sorted, for binary search.
const IDLE: [&str; 36] = [
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "for", "from", "how", "i",
    "in", "into", "is", "it", "its", "me", "my", "of", "on", "or", "that", "the", "this", "to", "use", "using", "want",
    "with", "you",
];

/// The form in which texts are compared: trimmed and in lower case.
pub(super) fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

/// Whether a word is ignored in a query that has other words.
pub(super) fn is_idle(word: &str) -> bool {
    IDLE.binary_search(&word).is_ok()
}

/// The words of a text in lower case. Names are split: `getIssue_v2` is `get`, `issue`, `v2`.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|character: char| !character.is_alphanumeric()).flat_map(humps).map(str::to_lowercase)
}

/// Splits at changes of case: `HTTPServerName` is `HTTP`, `Server`, `Name`.
fn humps(word: &str) -> Vec<&str> {
    let characters: Vec<(usize, char)> = word.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (index, (offset, character)) in characters.iter().enumerate().skip(1) {
        let before = characters[index - 1].1;
        let after = characters.get(index + 1).map(|(_, character)| *character);
        let rises = character.is_uppercase() && !before.is_uppercase();
        let falls = character.is_uppercase() && before.is_uppercase() && after.is_some_and(char::is_lowercase);
        if rises || falls {
            parts.push(&word[start..*offset]);
            start = *offset;
        }
    }
    parts.push(&word[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

/// Reduces words to their stems. The stemmer is for English, because nearly all descriptions of tools are in English;
/// words of other languages mostly stay unchanged.
pub(super) struct Stems(Stemmer);

impl Stems {
    pub(super) fn new() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }

    pub(super) fn of(&self, word: &str) -> String {
        self.0.stem(word).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let of = |text| words(text).collect::<Vec<_>>();
        assert_eq!(of("github.createIssue_v2"), ["github", "create", "issue", "v2"]);
        assert_eq!(of("HTTPServerName"), ["http", "server", "name"]);
        assert_eq!(of("Lists (all) users' orders."), ["lists", "all", "users", "orders"]);
        assert_eq!(of("Größe-ändern"), ["größe", "ändern"]);
        assert_eq!(of("--"), [""; 0]);
    }

    #[test]
    fn idle_words_are_sorted_for_searching() {
        assert!(IDLE.is_sorted());
        assert!(is_idle("the") && !is_idle("issue"));
    }

    #[test]
    fn forms_of_a_word_have_one_stem() {
        let stems = Stems::new();
        assert_eq!(stems.of("breweries"), stems.of("brewery"));
        assert_eq!(stems.of("creating"), stems.of("create"));
    }
}
