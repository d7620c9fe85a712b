//! A custom component. Build an image from it and call its functions:
//!
//! ```sh
//! cargo build --release --target wasm32-unknown-unknown
//! cargo xtask image build --component target/wasm32-unknown-unknown/release/component_rust.wasm \
//!     --capability examples/weather/wit --capability examples/component-rust/wit/deps/places --name text
//! ```
//!
//! The host serves `acme:weather/forecast` with the same object as for Python and JavaScript, and `acme:places/distances`,
//! which uses types of another interface.

use std::collections::BTreeMap;

wit_bindgen::generate!({ path: "wit", world: "text", generate_all });

use acme::{places::distances, weather::forecast};
use exports::docs::text::analysis::{self, Failure, Word};

struct Component;

export!(Component);

impl Guest for Component {
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
