//! Detects path segments that some server may read as `..`.
//!
//! The URL parser has resolved plain `..` segments; any that remains is encoded in another way. Servers decode more
//! than once, accept other encodings of a character (`%u002e`, more bytes than UTF-8 needs, the wide forms that Unicode
//! normalises), drop characters that they cannot represent, and cut off what follows `;`, `?` or NUL. This module
//! applies all of that together: a segment that could then have `..` between two separators is refused, even if no
//! known server does all of it.

use icu_normalizer::DecomposingNormalizerBorrowed;

/// Maximum number of times that a path may be encoded. Proxies in a row decode two or three times.
const ROUNDS: usize = 4;

/// Maximum number of ways to decode bytes that are not UTF-8, over all rounds.
const READINGS: usize = 16;

/// Returns whether some server may read a segment as `..`, or as text that has `..` between separators.
pub fn may_climb(segment: &str) -> bool {
    readings(segment).is_none_or(|readings| readings.iter().any(|text| climbs(text)))
}

/// Returns the texts that servers may read a segment as, the most decoded one last. `None` if there are too many, or if
/// the segment is encoded more often or in more bytes than an ordinary client would.
pub(super) fn readings(segment: &str) -> Option<Vec<String>> {
    let mut readings = Vec::new();
    let mut left = vec![segment.as_bytes().to_vec()];
    for _ in 0..=ROUNDS {
        let mut next = Vec::new();
        for bytes in &left {
            for text in texts(bytes)? {
                let decoded = decoded(text.as_bytes());
                if decoded != text.as_bytes() && !next.contains(&decoded) {
                    next.push(decoded);
                }
                readings.push(text);
            }
        }
        if next.is_empty() {
            return Some(readings);
        }
        if next.len() > READINGS {
            return None;
        }
        left = next;
    }
    None
}

/// Returns whether there is `..` between separators. Characters that servers drop may be before and between the dots,
/// and text that a server may cut off after them; letters and digits are not cut off.
fn climbs(text: &str) -> bool {
    text.split(['/', '\\']).any(|part| {
        let mut characters = part.chars();
        let mut next = || characters.find(|character| !vanishes(*character));
        next() == Some('.') && next() == Some('.') && may_be_cut_off(characters.as_str())
    })
}

/// Returns whether servers may drop a character, or not regard it as part of a name. Letters and digits of every script
/// are kept: otherwise most names in other scripts than Latin would be read as `..` if they have two dots.
pub(super) fn vanishes(character: char) -> bool {
    // Unicode classifies these as letters, but they are invisible.
    let is_filler = matches!(character, '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}');
    is_filler || !(character.is_ascii_graphic() || character.is_alphanumeric())
}

/// Returns whether a server may cut off what follows two dots. Encoded text is judged after it is decoded.
fn may_be_cut_off(rest: &str) -> bool {
    escape(rest.as_bytes()).is_none() && rest.chars().next().is_none_or(|next| vanishes(next) || !is_of_name(next))
}

fn is_of_name(character: char) -> bool {
    matches!(character, '.' | '-' | '_' | '~') || character.is_alphanumeric()
}

/// Replaces `%2e` and `%u002e` by what they encode. The latter may also encode a byte.
fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        let Some((number, after)) = escape(rest) else {
            decoded.push(*first);
            rest = after;
            continue;
        };
        match u8::try_from(number) {
            Ok(byte) => decoded.push(byte),
            Err(_) => {
                let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
                decoded.extend(character.encode_utf8(&mut [0; 4]).bytes());
            }
        }
        rest = after;
    }
    decoded
}

/// Returns what `%2e` or `%u002e` at the beginning encodes, and the bytes that follow it.
fn escape(bytes: &[u8]) -> Option<(u32, &[u8])> {
    match bytes {
        [b'%', b'u' | b'U', digits @ ..] => hexadecimal(digits, 4),
        [b'%', digits @ ..] => hexadecimal(digits, 2),
        _ => None,
    }
}

fn hexadecimal(bytes: &[u8], length: usize) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.split_at_checked(length)?;
    let digit = |number: u32, byte: &u8| Some(number << 4 | char::from(*byte).to_digit(16)?);
    Some((digits.iter().try_fold(0, digit)?, rest))
}

/// Returns the bytes as text, in one or more readings; `None` if a character has more bytes than it needs, which no
/// ordinary client writes.
fn texts(bytes: &[u8]) -> Option<Vec<String>> {
    let strict = text(bytes, true)?;
    // Some old servers do not check the bytes that follow the first byte of a character.
    let sloppy = text(bytes, false).filter(|sloppy| *sloppy != strict);
    // Some servers normalise the text, and others drop characters that they cannot represent.
    let both = |text: String| {
        let plain = plain(&text);
        [text, plain]
    };
    let mut texts: Vec<String> = sloppy.into_iter().chain([strict]).flat_map(both).collect();
    texts.dedup();
    Some(texts)
}

/// Bytes that are not UTF-8 become characters that servers may drop.
fn text(bytes: &[u8], strict: bool) -> Option<String> {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(first) = rest.first() {
        let length = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            0xf8..=0xfb => 5,
            0xfc..=0xfd => 6,
            _ => 1,
        };
        let following = rest.get(1..length).filter(|_| length > 1);
        let follows = following.is_some_and(|following| following.iter().all(|byte| matches!(byte, 0x80..=0xbf)));
        let number = following.filter(|_| follows || !strict).map(|following| {
            let bits = u32::from(first & (0x7f >> length));
            following.iter().fold(bits, |bits, byte| bits << 6 | u32::from(byte & 0x3f))
        });
        // The minimum number of bytes that UTF-8 uses for this number.
        let ends = [0x80, 0x800, 0x1_0000, 0x20_0000, 0x400_0000];
        let least = number.map_or(1, |number| 1 + ends.iter().filter(|end| number >= **end).count());
        if strict && number.is_some() && least < length {
            return None;
        }
        // The lenient reading accepts well-formed characters, too.
        let is_right = follows && least == length;
        match number.filter(|_| is_right || least == 1).and_then(char::from_u32) {
            Some(character) => {
                text.push(character);
                rest = &rest[length..];
            }
            None => {
                text.push(if first.is_ascii() { char::from(*first) } else { char::REPLACEMENT_CHARACTER });
                rest = &rest[1..];
            }
        }
    }
    Some(text)
}

/// Returns the text as Unicode normalises it for comparisons, and as smaller code pages map it. It is not recomposed:
/// an accent must not hide the letter that it is on.
pub(super) fn plain(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let similar = |character| match character {
        '\u{b7}' | '\u{2022}' | '\u{2219}' | '\u{22c5}' | '\u{3002}' | '\u{30fb}' => '.',
        '\u{2044}' | '\u{2215}' | '\u{2571}' | '\u{29f8}' => '/',
        '\u{a5}' | '\u{20a9}' | '\u{2216}' | '\u{2572}' | '\u{29f5}' | '\u{29f9}' => '\\',
        '\u{66a}' => '%',
        other => other,
    };
    DecomposingNormalizerBorrowed::new_nfkd().normalize_iter(text.chars()).map(similar).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every character that compatibility normalisation maps to a dot or a separator, or that is dropped in a
    /// conversion to ASCII.
    #[test]
    fn no_character_of_unicode_hides_a_way_up() {
        let normalizer = DecomposingNormalizerBorrowed::new_nfkd();
        let encoded = |text: &str| {
            percent_encoding::percent_encode(text.as_bytes(), percent_encoding::NON_ALPHANUMERIC).to_string()
        };
        for character in (char::MIN..=char::MAX).filter(|character| !character.is_ascii()) {
            let plain = normalizer.normalize_iter([character].into_iter()).collect::<String>();
            let texts = match &*plain {
                "." => vec![format!("{character}{character}"), format!(".{character}"), format!("{character}./x")],
                ".." => vec![character.to_string()],
                "/" | "\\" => vec![format!("..{character}x"), format!("{character}..;")],
                ";" | "?" | "#" => vec![format!("..{character}x")],
                "%" => vec![format!("{character}2e{character}2e")],
                plain if plain.chars().any(|character| !vanishes(character)) => continue,
                _ => vec![format!(".{character}."), format!("..{character}"), format!("{character}..")],
            };
            for text in texts {
                assert!(may_climb(&encoded(&text)), "{:04x} in {text:?}", u32::from(character));
            }
        }
    }

    #[test]
    fn names_in_every_script_are_no_way_up() {
        for text in [
            "レオナルド・ダ・ヴィンチ",
            "А.С.Пушкин",
            "报告.最终.文档",
            "Отчёт.Итог.док",
            "א.ב.ג",
            "أ.ب.ت",
            "त.क.हि",
            "กขค.งจ.ฉช",
            "한글.문서.끝",
            "col·lecció.nova.é",
            "..é",
            "..я",
            ".я.",
            "٣.٤.٥",
            "%20",
            "a b.c d",
            "v1.2",
            "a..b",
            "..b",
            "...",
            "100%",
        ] {
            let encoded =
                percent_encoding::percent_encode(text.as_bytes(), percent_encoding::NON_ALPHANUMERIC).to_string();
            assert!(!may_climb(&encoded), "{text}: {encoded}");
            assert!(!may_climb(text), "{text}");
            assert!(!may_climb(&encoded.replace('%', "%25")), "{text}, encoded twice");
        }
        for text in ["%20", "100%25", "%u0410.%u0421.%u041f"] {
            assert!(!may_climb(text), "{text}");
        }
    }

    #[test]
    fn ways_up_stay_ways_up() {
        for text in [
            "..",
            "%2e%2e",
            "%252e%252e",
            "%u002e%u002e",
            "%uff0e%uff0e",
            "..%3f",
            "..%23",
            "..%3b",
            "..%00",
            "..;x",
            "%c0%ae%c0%ae",
            "%c0%2e%c0%2e",
            "%e0%80%ae%e0%80%ae",
            "%f0%80%80%ae.",
            "%f8%80%80%80%ae.",
            "%fc%80%80%80%80%ae.",
            "．．",
            "..／x",
            "я%2f..",
            "я%5c..%5cя",
            "я／..",
            "・・",
            ".%e2%80%8b.",
            ".%ff.",
            "%e3%85%a4..",
            "..%e3%85%a4я",
            "..%cc%81",
        ] {
            assert!(may_climb(text), "{text}");
        }
    }

    #[test]
    fn every_longer_form_of_a_character_is_refused() {
        for number in ['.', '/', '\\', '%', 'a', '\u{ff0e}'].map(u32::from) {
            for length in 2..=6_usize {
                let shift = |index: usize| number >> (6 * (length - 1 - index));
                let needed = char::from_u32(number).map_or(4, char::len_utf8);
                if length <= needed {
                    continue;
                }
                let first = (0xff_u32 << (8 - length)) as u8;
                let follow = (1..length).map(|index| 0x80 | (shift(index) & 0x3f) as u8);
                let bytes: Vec<u8> = [first | (shift(0) as u8 & (0x7f >> length))].into_iter().chain(follow).collect();
                let once = percent_encoding::percent_encode(&bytes, percent_encoding::NON_ALPHANUMERIC).to_string();
                for text in [once.clone(), format!("a{once}b"), once.replace('%', "%25"), once.replace('%', "%u0025")] {
                    assert!(may_climb(&text), "{text}");
                }
            }
        }
    }
}
