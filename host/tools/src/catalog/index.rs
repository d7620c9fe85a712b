//! The search index of a catalog: which tools contain a word, and the score of each match.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::words::{Stems, fold, is_idle, words};
use crate::{Tool, schema::Resolver};
use isolette_work::{Work, is_near, near_lengths};

const WHOLE_NAME: u32 = 100;
const NAME: u32 = 30;
const DESCRIPTION: u32 = 10;
const PARAMETER: u32 = 8;
const PARAMETER_DESCRIPTION: u32 = 4;
const TAG: u32 = 3;

/// Maximum number of words of a query that are used. Further words are ignored.
const QUERY_WORDS: usize = 32;
/// Maximum length of a word in bytes. Longer words are ignored.
const LONGEST_WORD: usize = 64;
/// Minimum length, in characters, of a query word that is matched as a prefix. Shorter prefixes match too many words.
const SHORTEST_BEGINNING: usize = 3;
/// Maximum number of bytes read of a query, and of words indexed per text of a tool.
const QUERY: usize = 4 << 10;
const WORDS: usize = 2_000;
/// Maximum number of steps of one search: comparisons with indexed words, and tools that contain a matching word.
const STEPS: u64 = 2_000_000;

#[derive(Debug)]
pub(super) struct Index {
    /// Names of the tools in lower case, in the order of the tools.
    names: Vec<String>,
    /// By stem: the positions of the tools that contain the word, each with its score.
    stems: BTreeMap<String, Vec<(usize, u32)>>,
    /// Stems by first character and length in characters, which similar words share.
    alike: HashMap<(char, usize), Vec<String>>,
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
        let mut alike = HashMap::<_, Vec<String>>::new();
        for stem in stems.keys() {
            if let Some(first) = stem.chars().next() {
                alike.entry((first, stem.chars().count())).or_default().push(stem.clone());
            }
        }
        Self { names: tools.iter().map(|tool| fold(tool.name())).collect(), stems, alike }
    }

    /// Returns the positions of all matching tools, best first. Once the step limit is reached, words that are not in
    /// the index contribute nothing more.
    pub(super) fn rank(&self, query: &str) -> Vec<usize> {
        self.rank_within(query, &Work::new(STEPS))
    }

    fn rank_within(&self, query: &str, work: &Work) -> Vec<usize> {
        let query = &query[..query.floor_char_boundary(QUERY)];
        let all: Vec<String> = words(query).filter(|word| word.len() <= LONGEST_WORD).take(QUERY_WORDS).collect();
        let significant: Vec<&String> = all.iter().filter(|word| !is_idle(word)).collect();
        let significant = if significant.is_empty() { all.iter().collect() } else { significant };
        if significant.is_empty() {
            return (0..self.names.len()).collect();
        }
        let whole = fold(query);
        // Scores are doubled so that half a score is a whole number.
        let mut scores: Vec<u32> =
            self.names.iter().map(|name| if *name == whole { 2 * WHOLE_NAME } else { 0 }).collect();
        let stemmer = Stems::new();
        let mut significant: Vec<(String, &String)> =
            significant.iter().map(|word| (stemmer.of(word), *word)).collect();
        significant.sort_unstable();
        significant.dedup();
        // Exact matches first: they need no search.
        let (known, unknown): (Vec<_>, Vec<_>) =
            significant.into_iter().partition(|(stem, _)| self.stems.contains_key(stem));
        for (stem, _) in known {
            for (position, worth) in self.stems.get(&stem).into_iter().flatten() {
                scores[*position] += 2 * worth;
            }
        }
        for (stem, word) in unknown {
            self.add(&stem, word, &mut scores, work);
        }
        let mut ranked: Vec<usize> = (0..scores.len()).filter(|position| scores[*position] > 0).collect();
        ranked.sort_by_key(|position| std::cmp::Reverse(scores[*position]));
        ranked
    }

    /// Adds the scores of prefix and near matches. Only called for words that are not in the index, so that a correctly
    /// spelled word never matches others.
    fn add(&self, stem: &str, word: &str, scores: &mut [u32], work: &Work) {
        let mut best = BTreeMap::<usize, u32>::new();
        let mut found = |places: &[(usize, u32)]| {
            for (position, worth) in places.iter().take_while(|_| work.step(1)) {
                let entry = best.entry(*position).or_default();
                *entry = (*entry).max(*worth);
            }
        };
        if word.chars().count() >= SHORTEST_BEGINNING {
            let from = self.stems.range::<str, _>((std::ops::Bound::Included(word), std::ops::Bound::Unbounded));
            for (_, places) in from.take_while(|(other, _)| other.starts_with(word) && work.step(1)) {
                found(places);
            }
        }
        let first = stem.chars().next().into_iter();
        let alike =
            first.flat_map(|first| near_lengths(stem).filter_map(move |length| self.alike.get(&(first, length))));
        for other in alike.flatten().take_while(|other| work.step(1 + (other.len() / 4) as u64)) {
            if is_near(stem, other) {
                found(self.stems.get(other).map_or(&[], Vec::as_slice));
            }
        }
        for (position, worth) in best {
            scores[position] += worth;
        }
    }
}

/// Returns the score of each word for a tool. A word counts once in each field that contains it.
fn worths(tool: &Tool, stemmer: &Stems) -> BTreeMap<String, u32> {
    let mut worths = BTreeMap::new();
    let mut place = |texts: &mut dyn Iterator<Item = &str>, worth: u32| {
        let words = |text| words(text).filter(|word| word.len() <= LONGEST_WORD).take(WORDS).collect::<Vec<_>>();
        let mut here: Vec<String> = texts.flat_map(words).take(WORDS).collect();
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Tools whose words all share a prefix, have nearly equal lengths and are all different.
    fn hostile(tools: usize, words: usize) -> Index {
        let tool = |number: usize| {
            let words: Vec<String> = (0..words).map(|word| format!("xqzwvkj{:05}", number * words + word)).collect();
            Tool::from_schema(&format!("t{number}"), &words.join(" "), json!({}), Ok::<_, String>).unwrap()
        };
        Index::new(&(0..tools).map(tool).collect::<Vec<_>>())
    }

    #[test]
    fn searching_takes_steps_that_are_bounded_whatever_tools_say() {
        let query: Vec<String> = (0..1_000).map(|number| format!("xqzwvkjqq{number:03}")).collect();
        for (tools, words) in [(10, 100), (100, 100), (100, 900)] {
            let index = hostile(tools, words);
            let work = Work::new(STEPS);
            index.rank_within(&query.join(" "), &work);
            let most = (QUERY_WORDS * tools * (words + 2) * 5) as u64;
            assert!(work.used() <= most.min(STEPS + 1_000), "{} steps", work.used());
        }
        // An exact match needs no steps.
        let index = hostile(100, 100);
        let work = Work::new(0);
        assert_eq!(index.rank_within("xqzwvkj00301", &work), [3]);
        assert!(index.rank_within("xqzwvkj0030", &work).is_empty());
    }
}
