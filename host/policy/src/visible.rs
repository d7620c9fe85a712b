//! Escapes untrusted text of programs, servers and tools for display to a user.
//!
//! An invisible character, a blank one, or one that changes the direction of the text around it can make a text look
//! like another one, and a control character can make a terminal show anything. The properties of Unicode determine
//! which characters these are: a list would be out of date with each version of Unicode.

use std::borrow::Cow;

use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{BidiControl, DefaultIgnorableCodePoint, GeneralCategory, VariationSelector, WhiteSpace},
};

/// Characters that look blank without any property that says so: Braille without dots, a note without a head, the blank
/// hieroglyphs, and fillers.
const BLANK: [char; 7] = ['\u{2800}', '\u{1d159}', '\u{13441}', '\u{13442}', '\u{16fe4}', '\u{ffa0}', '\u{fffc}'];

/// Joiners that many scripts and most emoji of several people need.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Escapes, as `\u{202e}`, the characters that a reader would not see, would read as a space, or that change how others
/// look. Line breaks and tabs are kept. For text on which a user bases a decision.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, hides)
}

/// Escapes the characters that could control a terminal or change how others look there. Of those that [`visible`]
/// escapes, spaces of other widths, joiners and variation selectors of emoji are kept. For text that is only read.
#[must_use]
pub fn harmless(text: &str) -> Cow<'_, str> {
    written_out(text, steers)
}

fn written_out(text: &str, which: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&which) else { return Cow::Borrowed(text) };
    let (mut shown, rest) = (String::with_capacity(text.len() + 16), &text[first..]);
    shown.push_str(&text[..first]);
    for character in rest.chars() {
        match which(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Returns whether a character is invisible, or changes what others look like.
fn hides(character: char) -> bool {
    match character {
        '\n' | '\t' | ' '..='~' => false,
        _ => {
            CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
                || CodePointSetData::new::<WhiteSpace>().contains(character)
                || CodePointSetData::new::<BidiControl>().contains(character)
                || BLANK.contains(&character)
                || matches!(
                    CodePointMapData::<GeneralCategory>::new().get(character),
                    GeneralCategory::Control
                        | GeneralCategory::Format
                        | GeneralCategory::Surrogate
                        | GeneralCategory::PrivateUse
                        | GeneralCategory::Unassigned
                        | GeneralCategory::SpaceSeparator
                        | GeneralCategory::LineSeparator
                        | GeneralCategory::ParagraphSeparator
                )
        }
    }
}

/// Returns whether a character affects a terminal, or the other characters shown there.
fn steers(character: char) -> bool {
    let selects = |character| {
        CodePointSetData::new::<VariationSelector>().contains(character)
            || CodePointMapData::<GeneralCategory>::new().get(character) == GeneralCategory::SpaceSeparator
    };
    hides(character) && !JOINERS.contains(&character) && !BLANK.contains(&character) && !selects(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_person_would_not_see_is_written_out() {
        for hidden in [
            '\u{0}',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{a0}',
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{1160}',
            '\u{1680}',
            '\u{17b4}',
            '\u{180b}',
            '\u{180e}',
            '\u{180f}',
            '\u{2000}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{2028}',
            '\u{202e}',
            '\u{202f}',
            '\u{205f}',
            '\u{2060}',
            '\u{2065}',
            '\u{2066}',
            '\u{2800}',
            '\u{3000}',
            '\u{3164}',
            '\u{fe00}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffa0}',
            '\u{fff9}',
            '\u{fffe}',
            '\u{e000}',
            '\u{110bd}',
            '\u{1d159}',
            '\u{1d173}',
            '\u{e0000}',
            '\u{e0001}',
            '\u{e0041}',
            '\u{e007f}',
            '\u{e0100}',
            '\u{e01ef}',
            '\u{e0fff}',
            '\u{f0000}',
            '\u{10ffff}',
            '\u{378}',
        ] {
            assert_eq!(visible(&format!("a{hidden}b")), format!("a{}b", hidden.escape_unicode()));
        }
        let plain = "A text,\n\tin e\u{301}very l\u{e4}nguage: \u{4e2d}\u{6587} \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{1f980} \u{926}\u{94d}";
        assert!(matches!(visible(plain), Cow::Borrowed(_)), "{}", visible(plain));
    }

    #[test]
    fn a_terminal_gets_what_it_can_only_show() {
        for text in [
            "\u{1b}[2J",
            "\u{9b}2J",
            "\r",
            "\u{8}",
            "\u{7}",
            "\u{202e}",
            "\u{2066}",
            "\u{e0041}",
            "\u{2028}",
            "\u{e000}",
        ] {
            assert!(harmless(text).starts_with("\\u{"), "{}", harmless(text));
        }
        let plain = "a\tb\nc\u{a0}d \u{2764}\u{fe0f} \u{1f469}\u{200d}\u{1f52c} \u{2800}";
        assert_eq!(harmless(plain), plain);
    }

    #[test]
    fn no_character_with_these_properties_is_left_out() {
        for character in char::MIN..=char::MAX {
            let is_plain = matches!(character, '\n' | '\t' | ' ');
            let shown = visible(character.encode_utf8(&mut [0; 4])).len() <= 4;
            if !is_plain && (character.is_whitespace() || character.is_control()) {
                assert!(!shown, "{character:?}");
            }
            if character.is_alphanumeric() && !CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(character)
            {
                let known = CodePointMapData::<GeneralCategory>::new().get(character) != GeneralCategory::Unassigned;
                assert!(shown || !known || BLANK.contains(&character), "{character:?}");
            }
        }
    }
}
