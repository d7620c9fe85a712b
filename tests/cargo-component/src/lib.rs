//! The component of `examples/component-rust`, with the bindings that cargo-component generates.

use std::collections::BTreeMap;

#[allow(warnings)]
mod bindings;

use bindings::acme::{places::distances, weather::forecast};
use bindings::exports::docs::text::analysis::{self, Failure, Word};

struct Component;

bindings::export!(Component with_types_in bindings);

impl bindings::Guest for Component {
    fn initials(names: Vec<String>) -> Vec<char> {
        names.iter().filter_map(|name| name.chars().next()).collect()
    }
}

impl analysis::Guest for Component {
    fn count_words(text: String, at_least: Option<u32>) -> Vec<Word> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for word in text.split_whitespace() {
            *counts.entry(word).or_default() += 1;
        }
        let mut words: Vec<Word> = counts
            .into_iter()
            .filter(|(_, count)| *count >= at_least.unwrap_or(1))
            .map(|(word, count)| Word { word: word.to_owned(), count })
            .collect();
        words.sort_by(|left, right| right.count.cmp(&left.count));
        words
    }

    fn weather(text: String) -> Result<(String, f64), Failure> {
        let mut failure = Failure::Empty;
        for word in text.split_whitespace() {
            match forecast::get(word) {
                Ok(report) => return Ok((word.to_owned(), report.high_c)),
                Err(_) => failure = Failure::UnknownPlace(word.to_owned()),
            }
        }
        Err(failure)
    }

    fn distance(text: String) -> Option<f64> {
        let mut places = text.split_whitespace().map(distances::find);
        let first = places.next()?;
        distances::between(&first, &places.last()?)
    }
}
