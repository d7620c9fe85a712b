//! Paths that begin with the path of a rule, whichever way a server may read them.
//!
//! Servers disagree about encoded slashes, backslashes, dots, empty segments and `;parameters`. A path is inside a
//! prefix only if it is so in every reading that is known to be in use; a doubt is a no.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode, percent_encode};

/// How often a path may be percent-encoded over. Proxies in a row decode two or three times.
const ROUNDS: usize = 4;

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
        (!segments.iter().any(ambiguous)).then_some(Self { segments })
    }

    /// Whether the path of a parsed URL is this one or below it.
    pub(super) fn contains(&self, path: &str) -> bool {
        let mut segments = path.split('/').skip(1);
        for expected in &self.segments {
            if segments.next().is_none_or(|segment| decode(segment) != *expected) {
                return false;
            }
        }
        self.segments.is_empty() || stays_below(segments.collect::<Vec<_>>().join("/").into_bytes())
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

/// Whether no server can find a way up in a relative path, however often it decodes it.
fn stays_below(mut path: Vec<u8>) -> bool {
    for _ in 0..=ROUNDS {
        if climbs(&path) {
            return false;
        }
        let decoded: Vec<u8> = percent_decode(&path).collect();
        if decoded == path {
            return true;
        }
        path = decoded;
    }
    false
}

/// Whether any segment is `..`, with either slash, with parameters, and with what some servers cut off behind it. Parsing a
/// URL has resolved the plain ones; those that are left are hidden, and how far up they lead depends on who counts the
/// segments before them.
fn climbs(path: &[u8]) -> bool {
    let plain = without_overlong(path);
    let ends = |byte: &u8| matches!(byte, b';' | ..=b' ' | 0x7f);
    plain.split(|byte| matches!(byte, b'/' | b'\\')).any(|segment| segment.split(ends).next() == Some(b"..".as_slice()))
}

/// With plain characters in the place of those that are encoded in more bytes of UTF-8 than they need, which old servers
/// take for the same.
fn without_overlong(path: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((first, after)) = rest.split_first() {
        let (byte, length) = match rest {
            [0xc0 | 0xc1, second @ 0x80..=0xbf, ..] => ((first & 1) << 6 | second & 0x3f, 2),
            [0xe0, second @ 0x80..=0x81, third @ 0x80..=0xbf, ..] => ((second & 1) << 6 | third & 0x3f, 3),
            _ => (*first, 1),
        };
        plain.push(byte);
        rest = after.get(length - 1..).unwrap_or_default();
    }
    plain
}
