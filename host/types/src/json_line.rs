//! JSON as one line, for every reader of lines.
//!
//! JSON escapes `\n` and `\r` in texts, but not U+0085, U+2028 and U+2029, at which some readers end a line too: those of
//! Python's `str.splitlines`, and with them the official client of E2B. Here they are written as escapes, which every
//! parser of JSON reads as the same characters.

use std::{borrow::Cow, io};

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};

/// The characters in UTF-8, and their escapes. Other characters at which readers end lines (U+000B, U+000C, U+001C to
/// U+001E) are control characters, which JSON always escapes.
const BREAKS: [(&[u8], &[u8]); 3] =
    [(b"\xc2\x85", b"\\u0085"), (b"\xe2\x80\xa8", b"\\u2028"), (b"\xe2\x80\xa9", b"\\u2029")];

/// Returns a value as JSON that has no line break for any reader, without one at its end.
///
/// # Errors
/// As [`serde_json::to_string`].
pub fn json_line(value: &(impl Serialize + ?Sized)) -> serde_json::Result<String> {
    let mut line = Vec::with_capacity(128);
    write_json_line(&mut line, value)?;
    // Serde writes only UTF-8.
    String::from_utf8(line).map_err(serde::ser::Error::custom)
}

/// Writes a value as [`json_line`] returns it.
///
/// # Errors
/// As [`serde_json::to_writer`].
pub fn write_json_line(writer: impl io::Write, value: &(impl Serialize + ?Sized)) -> serde_json::Result<()> {
    value.serialize(&mut Serializer::with_formatter(writer, OneLine))
}

struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: io::Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        writer.write_all(&without_breaks(fragment.as_bytes()))
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        CompactFormatter.write_raw_fragment(writer, &String::from_utf8_lossy(&without_breaks(fragment.as_bytes())))
    }
}

/// Escapes the characters in JSON, where they can only be in texts.
fn without_breaks(json: &[u8]) -> Cow<'_, [u8]> {
    // Most texts are ASCII.
    if json.is_ascii() {
        return Cow::Borrowed(json);
    }
    let mut escaped = Vec::new();
    let (mut written, mut place) = (0, 0);
    while place < json.len() {
        let found = match json[place] {
            0xc2 | 0xe2 => BREAKS.iter().find(|(character, _)| json[place..].starts_with(character)),
            _ => None,
        };
        match found {
            Some((character, escape)) => {
                escaped.extend_from_slice(&json[written..place]);
                escaped.extend_from_slice(escape);
                place += character.len();
                written = place;
            }
            None => place += 1,
        }
    }
    if written == 0 {
        return Cow::Borrowed(json);
    }
    escaped.extend_from_slice(&json[written..]);
    Cow::Owned(escaped)
}

/// Escapes the same characters in JSON that something else has written, and that comes in parts.
#[derive(Debug, Default)]
pub struct JsonLineStream {
    /// The beginning of a character at the end of the last part.
    begun: Vec<u8>,
}

impl JsonLineStream {
    /// Returns the next part. The beginning of a character at its end is held back.
    pub fn push<'a>(&mut self, part: &'a [u8]) -> Cow<'a, [u8]> {
        if self.begun.is_empty() && part.is_ascii() {
            return Cow::Borrowed(part);
        }
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(part);
        let is_begun = |length: &usize| {
            let end = &bytes[bytes.len() - length..];
            BREAKS.iter().any(|(character, _)| end.len() < character.len() && character.starts_with(end))
        };
        let held = (1..=bytes.len().min(2)).rev().find(is_begun).unwrap_or(0);
        self.begun = bytes.split_off(bytes.len() - held);
        Cow::Owned(without_breaks(&bytes).into_owned())
    }

    /// Returns what was held back, at the end.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.begun)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// Where Python's `str.splitlines` ends a line.
    const ENDS: [char; 10] =
        ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];

    #[test]
    fn no_reader_ends_a_line_within_a_value() {
        let value =
            json!({ ENDS.iter().collect::<String>(): [ENDS.iter().collect::<String>(), "é€\u{2027}\u{202a}\u{84}"] });
        let line = json_line(&value).unwrap();
        assert!(!line.contains(ENDS), "{line}");
        assert!(line.contains("é€\u{2027}\u{202a}\u{84}") && line.contains("\\u2028\\u2029"), "{line}");
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
    }

    fn texts() -> impl Strategy<Value = String> {
        let character = prop_oneof![any::<char>(), prop::sample::select(ENDS.to_vec())];
        prop::collection::vec(character, 0..40).prop_map(|characters| characters.into_iter().collect())
    }

    proptest! {
        #[test]
        fn any_text_is_one_line(text in texts(), name in texts()) {
            let value = json!({ name: [text] });
            let line = json_line(&value).unwrap();
            prop_assert!(!line.contains(ENDS));
            prop_assert_eq!(serde_json::from_str::<Value>(&line).unwrap(), value);
        }

        #[test]
        fn a_stream_is_escaped_however_it_is_cut(text in texts(), cuts in prop::collection::vec(1_usize..5, 1..60)) {
            let value = json!([text]);
            let json = value.to_string();
            let (mut stream, mut whole, mut rest) = (JsonLineStream::default(), Vec::new(), json.as_bytes());
            for cut in cuts.iter().cycle() {
                let (part, after) = rest.split_at((*cut).min(rest.len()));
                whole.extend_from_slice(&stream.push(part));
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            whole.extend(stream.finish());
            prop_assert_eq!(String::from_utf8(whole).unwrap(), json_line(&value).unwrap());
        }
    }
}
