//! Matches paths against the path prefix of a rule, in every way that a server may read them.
//!
//! Servers disagree about encoded slashes, backslashes, dots, empty segments and `;parameters`. A path is inside a
//! prefix only if it is so in every reading that is known to be in use; an ambiguous path is outside.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

use super::doubt::{may_climb, plain, readings, vanishes};

/// Characters that are not encoded in a displayed path.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'@').remove(b':');

/// A path prefix, as the segments that a path must begin with. Empty: every path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Prefix {
    segments: Vec<Vec<u8>>,
}

impl Prefix {
    /// Creates a prefix from the path of a parsed URL. `None` if servers could disagree about its meaning.
    pub(super) fn new(path: &str) -> Option<Self> {
        let segments: Vec<Vec<u8>> = path.trim_end_matches('/').split('/').skip(1).map(decode).collect();
        let ambiguous = |segment: &Vec<u8>| {
            segment.is_empty()
                || segment.iter().any(|byte| matches!(byte, b'/' | b'\\' | b'%' | b';' | b'?' | b'#' | ..b' ' | 0x7f))
        };
        let doubted = path.split('/').skip(1).any(may_climb);
        (!doubted && !segments.iter().any(ambiguous)).then_some(Self { segments })
    }

    /// Returns whether the path of a parsed URL is this one or below it.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.rest(path).is_some_and(|mut rest| self.segments.is_empty() || !rest.any(may_climb))
    }

    /// For a path that begins with this prefix, returns the segment that may lead out of it again.
    pub(super) fn doubt<'a>(&self, path: &'a str) -> Option<&'a str> {
        self.rest(path).filter(|_| !self.segments.is_empty())?.find(|segment| may_climb(segment))
    }

    /// Returns whether some server may read a path as one below this prefix. Unlike [`Prefix::contains`], an ambiguous
    /// path counts as inside.
    pub(super) fn may_contain(&self, path: &str) -> bool {
        let expected: Vec<_> =
            self.segments.iter().map(|segment| plain(&String::from_utf8_lossy(segment)).to_lowercase()).collect();
        // For each number of expected segments, whether some reading of the path so far can begin with that many.
        let mut reached = vec![false; expected.len() + 1];
        reached[0] = true;
        for segment in path.split('/').skip(1) {
            let Some(readings) = readings(segment).filter(|_| !may_climb(segment)) else { return true };
            let mut next = vec![false; reached.len()];
            for text in readings {
                // The path as it is, and without what servers regard as a query.
                for text in [text.split(['?', '#', '\0']).next().unwrap_or_default(), &text] {
                    let mut places = reached.clone();
                    for part in text.split(['/', '\\']) {
                        places = after(part, &expected, &places);
                    }
                    next.iter_mut().zip(places).for_each(|(next, place)| *next |= place);
                }
            }
            // A server that has matched all segments accepts any rest.
            next[expected.len()] |= reached[expected.len()];
            reached = next;
        }
        reached[expected.len()]
    }

    /// Returns the segments after this prefix. `None` if the path does not begin with it.
    fn rest<'a>(&self, path: &'a str) -> Option<impl Iterator<Item = &'a str> + use<'a>> {
        let mut segments = path.split('/').skip(1);
        for expected in &self.segments {
            if decode(segments.next()?) != *expected {
                return None;
            }
        }
        Some(segments)
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.segments.iter().try_for_each(|segment| write!(formatter, "/{}", percent_encode(segment, ENCODED)))
    }
}

/// Returns how many expected segments may be matched after a part of a path, from how many may be matched before it.
fn after(part: &str, expected: &[String], before: &[bool]) -> Vec<bool> {
    let texts: Vec<String> = [part.split([';', '?', '#', '\0']).next().unwrap_or_default(), part]
        .into_iter()
        .flat_map(|part| [part.to_lowercase(), plain(part).to_lowercase()])
        .map(|part| part.trim().to_owned())
        .collect();
    let is_nothing = |text: &String| matches!(text.as_str(), "" | ".");
    let without = |text: &String, keep: fn(char) -> bool| -> String { text.chars().filter(|it| keep(*it)).collect() };
    let may_be_nothing = texts.iter().any(|text| is_nothing(text) || is_nothing(&without(text, |it| !vanishes(it))));
    let may_be = |expected: &String| {
        texts.iter().any(|text| {
            // Some servers drop characters that they cannot represent, letters too.
            text == expected || expected.is_ascii() && without(text, |it| it.is_ascii_graphic()) == *expected
        })
    };
    let mut places = vec![false; before.len()];
    for (place, _) in before.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
        match expected.get(place) {
            // All segments are already matched, so any rest is accepted.
            None => places[place] = true,
            Some(expected) => {
                places[place] |= may_be_nothing;
                places[place + 1] |= may_be(expected);
            }
        }
    }
    places
}

fn decode(segment: &str) -> Vec<u8> {
    percent_decode(segment.as_bytes()).collect()
}
