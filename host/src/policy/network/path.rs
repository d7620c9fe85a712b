//! Paths that begin with the path of a rule, whichever way a server may read them.
//!
//! Servers disagree about encoded slashes, backslashes, dots, empty segments and `;parameters`. A path is inside a
//! prefix only if it is so in every reading that is known to be in use; a doubt is a no.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

use super::doubt::{may_climb, plain, readings};

/// What a path may show as it is.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'@').remove(b':');

/// A path prefix, as the segments that a path must begin with. Empty: every path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Prefix {
    segments: Vec<Vec<u8>>,
}

impl Prefix {
    /// Takes the path of a parsed URL. `None` if servers could disagree about what it means.
    pub(super) fn new(path: &str) -> Option<Self> {
        let segments: Vec<Vec<u8>> = path.trim_end_matches('/').split('/').skip(1).map(decode).collect();
        let ambiguous = |segment: &Vec<u8>| {
            segment.is_empty() || segment.iter().any(|byte| matches!(byte, b'/' | b'\\' | b'%' | b';' | ..b' ' | 0x7f))
        };
        let doubted = path.split('/').skip(1).any(may_climb);
        (!doubted && !segments.iter().any(ambiguous)).then_some(Self { segments })
    }

    /// Whether the path of a parsed URL is this one or below it.
    pub(super) fn contains(&self, path: &str) -> bool {
        self.rest(path).is_some_and(|mut rest| self.segments.is_empty() || !rest.any(may_climb))
    }

    /// Of a path that begins as this one does, the segment that may lead out of it again.
    pub(super) fn doubt<'a>(&self, path: &'a str) -> Option<&'a str> {
        self.rest(path).filter(|_| !self.segments.is_empty())?.find(|segment| may_climb(segment))
    }

    /// Whether some server may read a path as one that is below this one. Other than [`Prefix::contains`], a doubt is a yes.
    pub(super) fn may_contain(&self, path: &str) -> bool {
        let mut read = String::new();
        for segment in path.split('/').skip(1) {
            // Without parameters, and as it is when nothing is left to be decoded.
            match readings(segment).filter(|_| !may_climb(segment)).and_then(|mut readings| readings.pop()) {
                Some(text) => read.extend(["/", text.split([';', '?', '#', '\0']).next().unwrap_or_default()]),
                None => return true,
            }
        }
        let read = read.replace('\\', "/").to_lowercase();
        let mut segments = read.split('/').map(str::trim).filter(|segment| !matches!(*segment, "" | "."));
        let expected = |segment: &Vec<u8>| plain(&String::from_utf8_lossy(segment)).to_lowercase();
        self.segments.iter().all(|segment| segments.next().is_some_and(|read| read == expected(segment)))
    }

    /// The segments behind these.
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

fn decode(segment: &str) -> Vec<u8> {
    percent_decode(segment.as_bytes()).collect()
}
