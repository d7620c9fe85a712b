//! Which words stand where, and what that is worth.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    nearest::is_near,
    words::{Stems, fold, is_idle, words},
};
use crate::{Tool, declarations::schema::Resolver};

const WHOLE_NAME: u32 = 100;
const NAME: u32 = 30;
const DESCRIPTION: u32 = 10;
const PARAMETER: u32 = 8;
const PARAMETER_DESCRIPTION: u32 = 4;
const TAG: u32 = 3;

/// Words of a query beyond this many do not count: more is no query.
const QUERY_WORDS: usize = 32;
/// Bytes; longer words are none.
const LONGEST_WORD: usize = 64;
/// A beginning that is shorter than this begins too much.
const SHORTEST_BEGINNING: usize = 3;

#[derive(Clone, Debug)]
pub(super) struct Index {
    /// In lower case.
    names: Vec<String>,
    /// By stem: the tools that have the word, and what it is worth there.
    stems: BTreeMap<String, Vec<(usize, u32)>>,
}

impl Index {
    pub(super) fn new(tools: &[Tool]) -> Self {
        let stemmer = Stems::new();
        let mut stems = BTreeMap::<String, Vec<(usize, u32)>>::new();
        for (position, tool) in tools.iter().enumerate() {
            for (stem, worth) in worths(tool, &stemmer) {
                stems.entry(stem).or_default().push((position, worth));
            }
        }
        Self { names: tools.iter().map(|tool| fold(tool.name())).collect(), stems }
    }

    /// The positions of all tools that match, best first.
    pub(super) fn rank(&self, query: &str) -> Vec<usize> {
        let all: Vec<String> = words(query).filter(|word| word.len() <= LONGEST_WORD).take(QUERY_WORDS).collect();
        let telling: Vec<&String> = all.iter().filter(|word| !is_idle(word)).collect();
        let telling = if telling.is_empty() { all.iter().collect() } else { telling };
        if telling.is_empty() {
            return (0..self.names.len()).collect();
        }
        let whole = fold(query);
        // Twice the worth, so that half of it is a whole number.
        let mut scores: Vec<u32> =
            self.names.iter().map(|name| if *name == whole { 2 * WHOLE_NAME } else { 0 }).collect();
        let stemmer = Stems::new();
        for word in telling {
            self.add(&stemmer.of(word), word, &mut scores);
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|position| scores[*position] > 0).collect();
        ranked.sort_by_key(|position| std::cmp::Reverse(scores[*position]));
        ranked
    }

    fn add(&self, stem: &str, word: &str, scores: &mut [u32]) {
        if let Some(places) = self.stems.get(stem) {
            for (position, worth) in places {
                scores[*position] += 2 * worth;
            }
            return;
        }
        // Only for what stands nowhere as it is, so that a word that is spelled well never brings others.
        let mut best = BTreeMap::<usize, u32>::new();
        for (other, places) in &self.stems {
            let begins = word.chars().count() >= SHORTEST_BEGINNING && other.starts_with(word);
            if begins || is_near(stem, other) {
                for (position, worth) in places {
                    let entry = best.entry(*position).or_default();
                    *entry = (*entry).max(*worth);
                }
            }
        }
        for (position, worth) in best {
            scores[position] += worth;
        }
    }
}

/// What each word is worth for a tool: it counts once in every place where it stands.
fn worths(tool: &Tool, stemmer: &Stems) -> BTreeMap<String, u32> {
    let mut worths = BTreeMap::new();
    let mut place = |texts: &mut dyn Iterator<Item = &str>, worth: u32| {
        let mut here: Vec<String> = texts.flat_map(|text| words(text).collect::<Vec<_>>()).collect();
        here.iter_mut().for_each(|word| *word = stemmer.of(word));
        here.sort_unstable();
        here.dedup();
        for stem in here {
            *worths.entry(stem).or_insert(0) += worth;
        }
    };
    place(&mut [tool.name()].into_iter(), NAME);
    place(&mut [tool.description()].into_iter(), DESCRIPTION);
    let resolver = Resolver::new(tool.input_schema());
    let properties = resolver.properties();
    place(&mut properties.iter().map(|property| property.name), PARAMETER);
    let described = |schema: &Value| schema.get("description").and_then(Value::as_str).map(str::to_owned);
    let descriptions: Vec<String> = properties.iter().filter_map(|property| described(property.schema)).collect();
    place(&mut descriptions.iter().map(String::as_str), PARAMETER_DESCRIPTION);
    place(&mut tool.tags().iter().map(String::as_str), TAG);
    worths
}
