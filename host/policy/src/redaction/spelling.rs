//! The encodings in which a secret is found: as it is, as in JSON and as in URLs, in any mixture.

/// Maximum number of bytes that encode one byte of a text: `\u0041`.
pub(super) const LONGEST: usize = 6;

/// Maximum number of bytes that encode one character: `%f0%9f%a6%80`.
pub(super) const LONGEST_CHARACTER: usize = 12;

/// The match at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Nothing,
    /// The whole text, up to this position.
    Whole(usize),
    /// Bytes that may be the beginning of the text, up to the end of the searched bytes.
    Beginning,
}

/// Returns the characters that may be at a position, and how many bytes each takes there.
pub(super) fn readings(text: &[u8], place: usize) -> impl Iterator<Item = (char, usize)> {
    let rest = text.get(place..).unwrap_or_default();
    let (plain, space) = match rest.first() {
        Some(b'+') => (Some(('+', 1)), Some((' ', 1))),
        Some(byte) if byte.is_ascii() => (Some((char::from(*byte), 1)), None),
        Some(_) => (character(rest), None),
        None => (None, None),
    };
    let escaped = match rest.first() {
        Some(b'%') => percent(rest),
        Some(b'\\') => backslash(rest),
        _ => None,
    };
    [plain, space, escaped].into_iter().flatten()
}

/// Returns the first character of UTF-8 bytes, and its length.
fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let bytes = &bytes[..bytes.len().min(4)];
    let text = match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    text.chars().next().map(|character| (character, character.len_utf8()))
}

/// Returns a character whose bytes are written as `%C3%A9`, and the length of its encoding.
fn percent(text: &[u8]) -> Option<(char, usize)> {
    let mut bytes = [0; 4];
    let mut count = 0;
    for (byte, written) in bytes.iter_mut().zip(text.chunks_exact(3)) {
        let value = written.strip_prefix(b"%").and_then(hexadecimal).and_then(|value| u8::try_from(value).ok());
        let Some(value) = value else { break };
        *byte = value;
        count += 1;
    }
    character(&bytes[..count]).map(|(character, length)| (character, 3 * length))
}

fn backslash(text: &[u8]) -> Option<(char, usize)> {
    let unit = |text: &[u8]| match text {
        [b'\\', b'u', digits @ ..] => hexadecimal(digits.get(..4)?),
        _ => None,
    };
    match text {
        [b'\\', b'u', ..] => {
            let first = unit(text)?;
            if let Some(character) = char::from_u32(first) {
                return Some((character, 6));
            }
            let units = [u16::try_from(first).ok()?, u16::try_from(unit(text.get(6..)?)?).ok()?];
            let character = char::decode_utf16(units).next()?.ok()?;
            Some((character, 12))
        }
        [b'\\', b'x', digits @ ..] => Some((char::from_u32(hexadecimal(digits.get(..2)?)?)?, 4)),
        [b'\\', sign, ..] => Some((meant(*sign)?, 2)),
        _ => None,
    }
}

fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |read, digit| Some(read * 16 + char::from(*digit).to_digit(16)?))
}

/// Returns the character that a sign after a backslash represents.
fn meant(sign: u8) -> Option<char> {
    match sign {
        b'b' => Some('\u{8}'),
        b'f' => Some('\u{c}'),
        b'n' => Some('\n'),
        b'r' => Some('\r'),
        b't' => Some('\t'),
        sign if sign.is_ascii_punctuation() => Some(char::from(sign)),
        _ => None,
    }
}

/// Returns whether a text ends at this position in the middle of an encoding of this character.
pub(super) fn is_cut(text: &[u8], place: usize, character: char) -> bool {
    let rest = text.get(place..).unwrap_or_default();
    [plain(rest, character), escaped(rest, character)].iter().any(|it| matches!(it, Reading::Cut))
}

enum Reading {
    Another,
    /// The bytes may be the character, if the text continued.
    Cut,
    /// The character, in this many bytes.
    #[cfg_attr(not(test), allow(dead_code, reason = "only tests try one reading after the other"))]
    Is(usize),
}

fn plain(text: &[u8], character: char) -> Reading {
    if character == ' ' && text.first() == Some(&b'+') {
        return Reading::Is(1);
    }
    let mut buffer = [0; 4];
    let bytes = character.encode_utf8(&mut buffer).as_bytes();
    if text.starts_with(bytes) {
        Reading::Is(bytes.len())
    } else if bytes.starts_with(text) {
        Reading::Cut
    } else {
        Reading::Another
    }
}

fn escaped(text: &[u8], character: char) -> Reading {
    match text {
        [b'%', ..] => {
            let mut buffer = [0; 4];
            let bytes = character.encode_utf8(&mut buffer).as_bytes();
            numbers(text, b"%", 2, bytes.iter().map(|byte| u32::from(*byte)))
        }
        [b'\\'] => Reading::Cut,
        [b'\\', b'u', ..] => {
            let mut buffer = [0; 2];
            let units = character.encode_utf16(&mut buffer);
            numbers(text, b"\\u", 4, units.iter().map(|unit| u32::from(*unit)))
        }
        [b'\\', b'x', ..] => numbers(text, b"\\x", 2, std::iter::once(u32::from(character))),
        [b'\\', sign, ..] => {
            if meant(*sign) == Some(character) {
                Reading::Is(2)
            } else {
                Reading::Another
            }
        }
        _ => Reading::Another,
    }
}

/// Matches numbers in hexadecimal, each with `digits` digits after `sign`.
fn numbers(text: &[u8], sign: &[u8], digits: usize, numbers: impl Iterator<Item = u32>) -> Reading {
    let mut length = 0;
    for number in numbers {
        let rest = &text[length..];
        let written = rest.get(sign.len()..).unwrap_or_default();
        let written = &written[..written.len().min(digits)];
        let read = written.iter().try_fold(0, |read, digit| Some(read * 16 + char::from(*digit).to_digit(16)?));
        if !rest.starts_with(&sign[..sign.len().min(rest.len())]) || read.is_none() {
            return Reading::Another;
        }
        if written.len() < digits {
            // The text ends here, and the digits so far are right.
            let missing = 4 * (digits - written.len());
            let right = number.checked_shr(u32::try_from(missing).unwrap_or(0)) == read;
            return if right { Reading::Cut } else { Reading::Another };
        }
        if read != Some(number) {
            return Reading::Another;
        }
        length += sign.len() + digits;
    }
    Reading::Is(length)
}

#[cfg(test)]
pub(super) mod tests {
    use isolette_work::Work;

    use super::super::automaton::Automaton;
    use proptest::prelude::*;

    use super::*;

    /// A simple implementation of what the automaton finds: it tries one reading after the other.
    pub(in super::super) fn tried(text: &[u8], from: usize, sought: &str) -> Sight {
        let mut ends = vec![from];
        let mut open = false;
        for character in sought.chars() {
            let mut next = Vec::with_capacity(ends.len());
            for end in ends {
                let rest = text.get(end..).unwrap_or_default();
                // Both can match at the same position only for `%` and `\`.
                for reading in [plain(rest, character), escaped(rest, character)] {
                    match reading {
                        Reading::Another => {}
                        Reading::Cut => open = true,
                        Reading::Is(length) => next.push(end + length),
                    }
                }
            }
            if next.len() > 1 {
                next.sort_unstable();
                next.dedup();
            }
            ends = next;
            if ends.is_empty() {
                break;
            }
        }
        match ends.first() {
            Some(end) => Sight::Whole(*end),
            None if open => Sight::Beginning,
            None => Sight::Nothing,
        }
    }

    fn look(text: &[u8], from: usize, sought: &str) -> Sight {
        Automaton::new(sought).unwrap().look(text, from, &Work::new(u64::MAX))
    }

    fn find(text: &[u8], sought: &str) -> Option<Vec<(usize, usize)>> {
        super::super::find::find(text, sought, &Automaton::new(sought).unwrap(), &Work::new(u64::MAX))
    }

    fn whole(text: &str, sought: &str) -> bool {
        look(text.as_bytes(), 0, sought) == Sight::Whole(text.len())
    }

    #[test]
    fn every_character_can_be_spelled_in_its_own_way() {
        for text in [
            "ab/c+d é🦀\"",
            r#"ab\/c+d é🦀\""#,
            r"ab\u002fc\u002Bd\u0020\u00e9\uD83E\udd80\u0022",
            "ab%2fc%2Bd+%c3%A9%f0%9F%A6%80%22",
            r#"%61b\x2Fc\u002bd%20\xe9🦀\x22"#,
        ] {
            assert!(whole(text, "ab/c+d é🦀\""), "{text}");
        }
        assert!(whole(r"a\\b\n%25\t", "a\\b\n%\t"));
        for text in ["ab%2gc", r"ab\u002gc", r"ab\qc", "ab%30c", "ab//c", "ab"] {
            assert_ne!(look(text.as_bytes(), 0, "ab/c"), Sight::Whole(text.len()), "{text}");
        }
    }

    #[test]
    fn what_is_an_escape_and_the_text_itself_is_both() {
        assert!(whole("%2541", "%2541") && whole("%2541", "%41") && whole(r"\\n", r"\\n") && whole(r"\\n", r"\n"));
        let backslashes = "\\".repeat(200);
        assert_eq!(look(backslashes.as_bytes(), 0, &format!("{}x", "\\".repeat(60))), Sight::Nothing);
    }

    #[test]
    fn a_beginning_is_seen_wherever_it_ends() {
        for text in ["a/b", r"a\/b", r"a\u002Fb", "a%2fb", "%61%2F%62"] {
            for end in 0..text.len() {
                assert_eq!(look(&text.as_bytes()[..end], 0, "a/b"), Sight::Beginning, "{}", &text[..end]);
            }
        }
        for text in ["b", "a%3", r"a\u1", r"a\n", "ax"] {
            assert_eq!(look(text.as_bytes(), 0, "a/b"), Sight::Nothing, "{text}");
        }
    }

    proptest! {
        #[test]
        fn bytes_are_looked_at_without_panic(text in prop::collection::vec(any::<u8>(), 0..40), sought in "[%\\\\u0a-c é]{1,6}") {
            for (from, to) in find(&text, &sought).unwrap() {
                prop_assert!(from < to && to <= text.len());
            }
            for from in 0..=text.len() {
                look(&text, from, &sought);
            }
        }

        #[test]
        fn both_ways_of_looking_find_the_same(text in "[ab]{0,30}", sought in "[ab]{1,4}") {
            let plain = find(text.as_bytes(), &sought);
            // The backslash disables the fast path, and cannot be part of the text.
            let other = find(format!("{text}\\").as_bytes(), &sought);
            prop_assert_eq!(plain, other);
        }
    }
}
