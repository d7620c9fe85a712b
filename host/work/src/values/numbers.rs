//! Finds numbers of a JSON text whose digits would be lost in the host's values.
//!
//! [`serde_json::Number`] has integers of 64 bits and doubles. An integer literal of more than 64 bits would become a
//! double silently, and mostly another number; here it is an error that names its place. A literal with a fraction or
//! an exponent is a double for every reader of JSON, so it may have more digits than a double has, but it must not
//! become infinite.

use std::{
    borrow::Cow,
    fmt::{self, Write as _},
};

use serde::de::DeserializeOwned;

use super::measure::end_of_text;

/// Digits that every integer of 64 bits can have.
const DIGITS: usize = 18;

/// Bytes that every literal with a finite value can have, if it has no exponent.
const FINITE: usize = 300;

/// Maximum nesting depth of a place that is spelled out.
const DEPTH: usize = 64;

/// Maximum length, in bytes, of a place and of a number in an error.
const SHOWN: usize = 200;
const NUMBER_SHOWN: usize = 60;

/// A number that the host's values cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostDigits {
    /// The place below the root of the text, such as `.list[2].n`; empty for the root.
    pub place: String,
    /// The number as the text has it, shortened if it is long.
    pub number: String,
    /// Whether it is an integer of more than 64 bits. Otherwise it is beyond the largest double.
    pub is_integer: bool,
}

impl LostDigits {
    /// The advice for the sender of such a number.
    pub const HINT: &str = "pass such a number as text";

    /// Says which number is wrong, as `root` names the whole text, and why.
    #[must_use]
    pub fn of(&self, root: &str) -> String {
        let Self { place, number, is_integer } = self;
        let why = match is_integer {
            true => "an integer of more than 64 bits, which would lose digits",
            false => "beyond the largest number that JSON has here (1.8e308)",
        };
        let place = if root.is_empty() { place.trim_start_matches('.') } else { place };
        format!("`{root}{place}` is {number}, {why}")
    }
}

/// The error for a JSON text that was not read.
#[derive(Debug)]
pub enum ReadError {
    /// A number would lose digits.
    LostDigits(LostDigits),
    /// The text is not JSON, or not of the type.
    NoJson(serde_json::Error),
}

impl ReadError {
    /// The error as one sentence, and a hint if there is one.
    #[must_use]
    pub fn of(&self, root: &str) -> (String, Option<&'static str>) {
        match self {
            Self::LostDigits(lost) => (lost.of(root), Some(LostDigits::HINT)),
            Self::NoJson(error) => (error.to_string(), None),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sentence, hint) = self.of("value");
        formatter.write_str(&sentence)?;
        hint.map_or(Ok(()), |hint| write!(formatter, "; {hint}"))
    }
}

impl std::error::Error for ReadError {}

/// Parses JSON. No number loses digits.
///
/// # Errors
/// [`ReadError`].
pub fn read_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, ReadError> {
    check_numbers(json).map_err(ReadError::LostDigits)?;
    serde_json::from_slice(json).map_err(ReadError::NoJson)
}

/// Checks that no number of a JSON text loses digits as a value of the host. For text that is not JSON the result has no
/// meaning.
///
/// # Errors
/// [`LostDigits`] for the first number that would.
pub fn check_numbers(json: &[u8]) -> Result<(), LostDigits> {
    check_numbers_at(json, |_| true)
}

/// Like [`check_numbers`], but only for numbers at places for which `counts` returns true.
///
/// # Errors
/// As [`check_numbers`].
pub fn check_numbers_at(json: &[u8], counts: impl Fn(&str) -> bool) -> Result<(), LostDigits> {
    let mut from = 0;
    let mut places = Places::default();
    while let Some((start, end, is_integer)) = next_lost(json, from) {
        let place = places.at(json, start);
        if counts(&place) {
            let number = String::from_utf8_lossy(&json[start..end]);
            let place = shortened(&place, SHOWN);
            return Err(LostDigits { place, number: shortened(&number, NUMBER_SHOWN), is_integer });
        }
        from = end;
    }
    Ok(())
}

/// Writes numbers of a JSON text that would lose digits as texts, at places for which `counts` returns true.
#[must_use]
pub fn lost_digits_as_text(json: &[u8], counts: impl Fn(&str) -> bool) -> Cow<'_, [u8]> {
    let (mut from, mut written, mut text) = (0, 0, Vec::new());
    let mut places = Places::default();
    while let Some((start, end, _)) = next_lost(json, from) {
        if counts(&places.at(json, start)) {
            text.extend_from_slice(&json[written..start]);
            text.push(b'"');
            text.extend_from_slice(&json[start..end]);
            text.push(b'"');
            written = end;
        }
        from = end;
    }
    if written == 0 {
        return Cow::Borrowed(json);
    }
    text.extend_from_slice(&json[written..]);
    Cow::Owned(text)
}

/// The range of the next number that loses digits, and whether it is an integer.
fn next_lost(json: &[u8], mut place: usize) -> Option<(usize, usize, bool)> {
    while let Some(byte) = json.get(place) {
        match byte {
            b'"' => place = end_of_text(json, place + 1),
            b'-' | b'0'..=b'9' => {
                let start = place;
                let mut is_integer = true;
                let mut has_exponent = false;
                place += 1;
                while let Some(byte @ (b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')) = json.get(place) {
                    is_integer &= byte.is_ascii_digit();
                    has_exponent |= matches!(byte, b'e' | b'E');
                    place += 1;
                }
                let literal = &json[start..place];
                let is_lost = match is_integer {
                    true => literal.len() > DIGITS && !is_of_64_bits(literal),
                    false => (has_exponent || literal.len() > FINITE) && !is_finite(literal),
                };
                if is_lost {
                    return Some((start, place, is_integer));
                }
            }
            _ => place += 1,
        }
    }
    None
}

fn is_of_64_bits(literal: &[u8]) -> bool {
    let text = std::str::from_utf8(literal).unwrap_or_default();
    text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()
}

/// Text that is no number is left to the parser.
fn is_finite(literal: &[u8]) -> bool {
    let number = std::str::from_utf8(literal).unwrap_or_default().parse::<f64>();
    number.map_or(true, f64::is_finite)
}

/// Follows the places in a text from its beginning.
#[derive(Default)]
struct Places {
    position: usize,
    /// The open lists and objects, up to the maximum depth.
    open: Vec<Open>,
    /// The number of open lists and objects that are deeper.
    deeper: usize,
    /// The last text, which is a name if a colon follows.
    last_text: (usize, usize),
}

enum Open {
    List(usize),
    /// The range of the last name.
    Object(usize, usize),
}

impl Places {
    /// The place of the value that begins at `end`, which is not before the last one.
    fn at(&mut self, json: &[u8], end: usize) -> String {
        while self.position < end {
            let byte = json[self.position];
            self.position += 1;
            match byte {
                b'"' => {
                    let start = self.position;
                    self.position = end_of_text(json, start);
                    self.last_text = (start, self.position.saturating_sub(1).max(start));
                }
                b'[' => self.push(Open::List(0)),
                b'{' => self.push(Open::Object(0, 0)),
                b']' | b'}' if self.deeper > 0 => self.deeper -= 1,
                b']' | b'}' => drop(self.open.pop()),
                b':' if self.deeper == 0 => {
                    if let Some(Open::Object(start, end)) = self.open.last_mut() {
                        (*start, *end) = self.last_text;
                    }
                }
                b',' if self.deeper == 0 => {
                    if let Some(Open::List(index)) = self.open.last_mut() {
                        *index += 1;
                    }
                }
                _ => {}
            }
        }
        self.text(json)
    }

    fn push(&mut self, open: Open) {
        match self.open.len() < DEPTH {
            true => self.open.push(open),
            false => self.deeper += 1,
        }
    }

    fn text(&self, json: &[u8]) -> String {
        let mut text = String::new();
        for open in &self.open {
            let _ = match *open {
                Open::List(index) => write!(text, "[{index}]"),
                Open::Object(start, end) => {
                    let name = String::from_utf8_lossy(&json[start..end]);
                    match is_plain(&name) {
                        true => write!(text, ".{name}"),
                        false => write!(text, "[\"{}\"]", shortened(&name, SHOWN)),
                    }
                }
            };
        }
        if self.deeper > 0 {
            text.push('…');
        }
        text
    }
}

fn is_plain(name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '-' | '$');
    !name.is_empty() && name.len() <= SHOWN && name.chars().all(is_part)
}

fn shortened(text: &str, limit: usize) -> String {
    match text.len() <= limit {
        true => text.to_owned(),
        false => {
            format!("{}… ({} bytes)", &text[..text.floor_char_boundary(limit)], text.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn lost(json: &str) -> Option<String> {
        check_numbers(json.as_bytes()).err().map(|lost| lost.of("arguments"))
    }

    #[test]
    fn integers_of_more_than_64_bits_are_named_with_their_place() {
        for (json, place) in [
            ("100000000000000000001", ""),
            (r#"{"n": 100000000000000000001}"#, ".n"),
            (r#"{"a":[1,{"b c":[2,-100000000000000000001]}]}"#, ".a[1][\"b c\"][1]"),
            (r#"{"a\"b":{},"x":[[],[100000000000000000001]]}"#, ".x[1][0]"),
            (r#"{"x":"100000000000000000001","y":18446744073709551616}"#, ".y"),
            (r#"{"":-9223372036854775809}"#, "[\"\"]"),
            ("[1e999]", "[0]"),
            ("[-1E+400]", "[0]"),
        ] {
            let text = lost(json).unwrap();
            assert!(text.starts_with(&format!("`arguments{place}` is ")), "{json}: {text}");
        }
        let text = lost(&format!("[{}]", "9".repeat(1_000_000))).unwrap();
        assert!(text.len() < 300, "{text}");
        let deep = format!("{}100000000000000000001{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(lost(&deep).unwrap().len() < 500);
    }

    #[test]
    fn what_keeps_its_digits_is_not_refused() {
        for json in [
            "18446744073709551615",
            "-9223372036854775808",
            "[0,-0,1.5,1e308,1e-999,0.1000000000000000055511151231257827]",
            r#"{"100000000000000000001":"1e999, 100000000000000000001"}"#,
            "100000000000000000001.0",
            "1e20",
            "",
            "\"",
            "-",
        ] {
            assert_eq!(lost(json), None, "{json}");
        }
    }

    #[test]
    fn places_can_be_left_out() {
        let json = br#"{"maximum":100000000000000000001,"default":[100000000000000000001]}"#;
        let found = check_numbers_at(json, |place| !place.starts_with(".maximum")).unwrap_err();
        assert_eq!(found.place, ".default[0]");
        assert!(check_numbers_at(json, |_| false).is_ok());
    }

    #[test]
    fn numbers_can_become_texts_with_their_digits() {
        let json = br#"[{"maximum":100000000000000000001,"default":[1,100000000000000000001]},1e999]"#;
        let text = lost_digits_as_text(json, |place| place.contains(".default"));
        let expected = r#"[{"maximum":100000000000000000001,"default":[1,"100000000000000000001"]},1e999]"#;
        assert_eq!(std::str::from_utf8(&text), Ok(expected));
        assert!(matches!(lost_digits_as_text(b"[1]", |_| true), Cow::Borrowed(_)));
    }

    #[test]
    fn a_text_is_read_or_refused() {
        assert_eq!(read_json::<Value>(b"[18446744073709551615]").unwrap(), serde_json::json!([u64::MAX]));
        assert!(matches!(read_json::<Value>(b"[18446744073709551616]"), Err(ReadError::LostDigits(_))));
        assert!(matches!(read_json::<Value>(b"[1"), Err(ReadError::NoJson(_))));
    }

    /// Integers of up to 40 digits, which are as likely to have few digits as many.
    fn digits() -> impl Strategy<Value = String> {
        "-?(0|[1-9][0-9]{0,40})"
    }

    /// Random documents with such integers, as text.
    fn documents() -> impl Strategy<Value = String> {
        let leaf =
            prop_oneof![digits(), Just("null".into()), any::<String>().prop_map(|text| Value::from(text).to_string())];
        leaf.prop_recursive(4, 40, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(" , "))),
                prop::collection::btree_map("[a-z\"]{1,3}", inner, 0..5).prop_map(|members| {
                    let member = |(name, value): (String, String)| format!("{} : {value}", Value::from(name));
                    format!("{{{}}}", members.into_iter().map(member).collect::<Vec<_>>().join(","))
                }),
            ]
        })
    }

    /// The integers of a text outside of strings, in their order.
    fn integers(json: &str) -> Vec<String> {
        let mut found = Vec::new();
        let (mut place, bytes) = (0, json.as_bytes());
        while place < bytes.len() {
            match bytes[place] {
                b'"' => place = end_of_text(bytes, place + 1),
                b'-' | b'0'..=b'9' => {
                    let start = place;
                    place += 1;
                    while place < bytes.len() && bytes[place].is_ascii_digit() {
                        place += 1;
                    }
                    found.push(json[start..place].to_owned());
                }
                _ => place += 1,
            }
        }
        found
    }

    proptest! {
        #[test]
        fn integers_are_read_with_their_digits_or_refused(document in documents()) {
            match read_json::<Value>(document.as_bytes()) {
                Ok(value) => {
                    let plain = |text: String| if text == "-0" { "-0.0".into() } else { text };
                    let written = value.to_string();
                    // `-0` has no integer; everything else is as it was.
                    if !integers(&document).contains(&"-0".to_owned()) {
                        prop_assert_eq!(integers(&written), integers(&document).into_iter().map(plain).collect::<Vec<_>>());
                    }
                }
                Err(ReadError::LostDigits(lost)) => {
                    let number = lost.number.parse::<i128>();
                    prop_assert!(number.map_or(true, |number| i64::try_from(number).is_err() && u64::try_from(number).is_err()));
                    prop_assert!(integers(&document).contains(&lost.number));
                }
                Err(ReadError::NoJson(error)) => prop_assert!(false, "{}: {}", document, error),
            }
        }

        #[test]
        fn any_text_is_looked_at_to_its_end(text in any::<Vec<u8>>()) {
            let _ = check_numbers(&text);
        }

        #[test]
        fn any_mixture_of_brackets_is_looked_at(text in "[-\\[\\]{}:,\"\\\\0-9eE.+]{0,60}1000000000000000000000[\\]}]{0,5}") {
            let _ = check_numbers(text.as_bytes());
        }
    }
}
