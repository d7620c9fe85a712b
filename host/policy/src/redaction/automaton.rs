//! Searches for a text in all of its spellings at once, in time linear in the length of the searched text.
//!
//! A position may have several readings: `%41` is `A`, and it is `%`, `4` and `1` as well. To try one after the other
//! takes exponential time on a hostile text. The automaton therefore follows all of them together: each position has a
//! bit for each character of the sought text that it may have, which is computed from the positions after it.

use zeroize::Zeroizing;

use super::spelling::{LONGEST, LONGEST_CHARACTER, Sight, is_cut, readings};
use isolette_work::Work;

/// Number of positions in the ring: more than a reading can span, and a power of two.
const RING: usize = 16;

/// A text to search for. Its characters are overwritten when it is dropped, since the text is a secret.
pub(super) struct Automaton {
    characters: Zeroizing<Vec<char>>,
    words: usize,
    /// The distinct characters of the text in order, and for each a mask of its positions in the text.
    known: Zeroizing<Vec<char>>,
    masks: Zeroizing<Vec<u64>>,
    /// The index of each ASCII character in `known`.
    ascii: Zeroizing<[u16; 128]>,
}

const UNKNOWN: u16 = u16::MAX;

/// The bits of the positions next to the current one.
struct Ring {
    bits: Vec<u64>,
    words: usize,
}

impl Ring {
    fn new(words: usize) -> Self {
        Self { bits: vec![0; RING * words], words }
    }

    fn of(&self, place: usize) -> &[u64] {
        let from = place % RING * self.words;
        &self.bits[from..from + self.words]
    }

    fn of_mut(&mut self, place: usize) -> &mut [u64] {
        let from = place % RING * self.words;
        &mut self.bits[from..from + self.words]
    }
}

fn has(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

impl Automaton {
    /// Builds the automaton for a text. `None` for an empty text.
    pub(super) fn new(sought: &str) -> Option<Self> {
        let characters = Zeroizing::new(sought.chars().collect::<Vec<_>>());
        if characters.is_empty() {
            return None;
        }
        // One bit for each character, and one for the end of the text.
        let words = characters.len() / 64 + 1;
        let mut known = Zeroizing::new(characters.to_vec());
        known.sort_unstable();
        known.dedup();
        let mut masks = Zeroizing::new(vec![0; known.len() * words]);
        let mut ascii = Zeroizing::new([UNKNOWN; 128]);
        for (place, character) in characters.iter().enumerate() {
            let Ok(number) = known.binary_search(character) else { continue };
            set(&mut masks[number * words..(number + 1) * words], place);
        }
        for (number, character) in known.iter().enumerate() {
            if let (Some(slot), Ok(number)) = (ascii.get_mut(*character as usize), u16::try_from(number)) {
                *slot = number;
            }
        }
        Some(Self { characters, words, known, masks, ascii })
    }

    /// Returns the mask of the positions of a character in the text. `None` if the text does not have it.
    fn mask(&self, character: char) -> Option<&[u64]> {
        let number = match self.ascii.get(character as usize) {
            Some(&UNKNOWN) => return None,
            Some(number) => usize::from(*number),
            None => self.known.binary_search(&character).ok()?,
        };
        Some(&self.masks[number * self.words..(number + 1) * self.words])
    }

    /// Returns the non-overlapping occurrences of the text in order, each up to its first possible end. `None` if the
    /// work was ended early.
    pub(super) fn find(&self, text: &[u8], work: &Work) -> Option<Vec<(usize, usize)>> {
        let starts = self.starts(text, work)?;
        let (mut found, mut from) = (Vec::new(), 0);
        while let Some(start) = next_bit(&starts, from) {
            let Sight::Whole(end) = self.look(text, start, work) else {
                // The text occurs here, unless the work ended before its end was found.
                return None;
            };
            found.push((start, end));
            from = end;
        }
        Some(found)
    }

    /// Returns all positions at which the text begins, as one bit each.
    fn starts(&self, text: &[u8], work: &Work) -> Option<Vec<u64>> {
        let mut starts = vec![0; text.len() / 64 + 1];
        let last = self.characters.len();
        let mut ring = Ring::new(self.words);
        // After the last position, nothing of the sought text remains to be found.
        set(ring.of_mut(text.len()), last);
        for place in (0..text.len()).rev() {
            if !self.step_back(text, place, last, &mut ring, work) {
                return None;
            }
            if has(ring.of(place), 0) {
                set(&mut starts, place);
            }
            set(ring.of_mut(place), last);
        }
        Some(starts)
    }

    /// Computes from the bits of the next positions which ends of the text may begin at this one.
    fn step_back(&self, text: &[u8], place: usize, last: usize, ring: &mut Ring, work: &Work) -> bool {
        let mut here = [0; 4];
        let mut long = Vec::new();
        let bits: &mut [u64] = match here.get_mut(..self.words) {
            Some(bits) => bits,
            None => {
                long.resize(self.words, 0);
                &mut long
            }
        };
        let mut steps = 1;
        for (character, length) in readings(text, place) {
            let Some(mask) = self.mask(character) else { continue };
            steps += self.words as u64;
            let next = ring.of(place + length);
            for word in 0..self.words {
                let above = next.get(word + 1).copied().unwrap_or(0);
                bits[word] |= mask[word] & (next[word] >> 1 | above << 63);
            }
        }
        debug_assert!(!has(bits, last), "the end of the text is no character of it");
        ring.of_mut(place).copy_from_slice(bits);
        work.step(steps)
    }

    /// Returns whether the text begins at a position. Of several readings, the one that ends first is used.
    pub(super) fn look(&self, text: &[u8], from: usize, work: &Work) -> Sight {
        let last = self.characters.len();
        let mut ring = Ring::new(self.words);
        set(ring.of_mut(from), 0);
        let (mut place, mut farthest, mut open) = (from, from, false);
        while place <= farthest && work.step(self.words as u64) {
            if has(ring.of(place), last) {
                return Sight::Whole(place);
            }
            open = open || self.is_cut_at(text, place, ring.of(place));
            for (character, length) in readings(text, place) {
                let Some(mask) = self.mask(character) else { continue };
                let mut below = 0;
                for (word, mask) in mask.iter().enumerate() {
                    let bits = ring.of(place)[word] & mask;
                    if bits << 1 | below != 0 {
                        ring.of_mut(place + length)[word] |= bits << 1 | below;
                        farthest = farthest.max(place + length);
                    }
                    below = bits >> 63;
                }
            }
            ring.of_mut(place).fill(0);
            place += 1;
        }
        if open { Sight::Beginning } else { Sight::Nothing }
    }

    /// Returns the first position from which the bytes may be an incomplete beginning of the text. If the work was
    /// ended early, the first position that was considered.
    pub(super) fn beginning(&self, text: &[u8], work: &Work) -> Option<usize> {
        let last = self.characters.len();
        let longest = self.characters.iter().map(|character| character.len_utf8()).sum::<usize>();
        let first = (text.len() + 1).saturating_sub(longest.saturating_mul(LONGEST));
        let (mut wholes, mut parts) = (Ring::new(self.words), Ring::new(self.words));
        set(wholes.of_mut(text.len()), last);
        // After the last byte, any rest of the text may follow.
        (0..last).for_each(|place| set(parts.of_mut(text.len()), place));
        let mut found = None;
        for place in (first..text.len()).rev() {
            if !self.step_back(text, place, last, &mut wholes, work)
                || !self.step_back(text, place, last, &mut parts, work)
            {
                return Some(first);
            }
            if text.len() - place < LONGEST_CHARACTER {
                for (at, character) in self.characters.iter().enumerate() {
                    if is_cut(text, place, *character) {
                        set(parts.of_mut(place), at);
                    }
                }
            }
            if has(parts.of(place), 0) && !has(wholes.of(place), 0) {
                found = Some(place);
            }
            set(wholes.of_mut(place), last);
        }
        found
    }

    fn is_cut_at(&self, text: &[u8], place: usize, bits: &[u64]) -> bool {
        let may_follow = |(at, character): (usize, &char)| has(bits, at) && is_cut(text, place, *character);
        text.len() - place < LONGEST_CHARACTER && self.characters.iter().enumerate().any(may_follow)
    }
}

/// Returns the index of the first set bit at or after `from`.
fn next_bit(bits: &[u64], from: usize) -> Option<usize> {
    let first = bits.get(from / 64)? & (u64::MAX << (from % 64));
    if first != 0 {
        return Some(from / 64 * 64 + first.trailing_zeros() as usize);
    }
    let (word, bits) = bits.iter().enumerate().skip(from / 64 + 1).find(|(_, bits)| **bits != 0)?;
    Some(word * 64 + bits.trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{super::spelling::tests::tried, *};

    fn work() -> Work {
        Work::new(u64::MAX)
    }

    #[test]
    fn what_is_looked_through_takes_steps_by_its_length() {
        let long = "a".repeat(300) + "b";
        for (sought, part) in [
            ("hunter2-hunter2-hunter3", "hunter2-"),
            ("aaaaaaaaaaaaaaab", "a"),
            ("%%%%%%%%%%%%%%%%%%x", "%25"),
            ("\\\\\\\\\\\\\\\\\\\\x", "\\"),
            ("%41%41%41%41%42", "%2541"),
            (&long, "\\u0061"),
        ] {
            for length in [1_000, 10_000, 100_000] {
                let text = part.repeat(length / part.len());
                let automaton = Automaton::new(sought).unwrap();
                let work = work();
                assert_eq!(automaton.find(text.as_bytes(), &work), Some(Vec::new()));
                let most = text.len() * (1 + 3 * automaton.words);
                assert!(work.used() <= most as u64, "{sought}: {} steps for {} bytes", work.used(), text.len());
                let work = self::work();
                automaton.beginning(text.as_bytes(), &work);
                let most = 2 * LONGEST * sought.len() * (1 + 3 * automaton.words);
                assert!(work.used() <= most as u64, "{sought}: {} steps for an end", work.used());
            }
        }
        // Also where it is found, again and again.
        let text = "%61".repeat(100_000);
        let work = work();
        let found = Automaton::new(&"a".repeat(100)).unwrap().find(text.as_bytes(), &work).unwrap();
        assert_eq!(found.len(), 1_000);
        assert!(work.used() <= 12 * text.len() as u64, "{} steps", work.used());
    }

    #[test]
    fn work_that_is_given_up_finds_nothing_out() {
        let automaton = Automaton::new("hunter2").unwrap();
        assert_eq!(automaton.find(&[b'%'; 100], &Work::new(10)), None);
        assert_eq!(automaton.beginning(&[b'%'; 100], &Work::new(10)), Some(59));
    }

    #[test]
    fn long_texts_are_found_too() {
        let sought: String = ('a'..='z').cycle().take(700).collect();
        let text = format!("%%{}\\u00{:02x}{}", &sought[..300], sought.as_bytes()[300], &sought[301..]);
        let found = Automaton::new(&sought).unwrap().find(text.as_bytes(), &work());
        assert_eq!(found, Some(vec![(2, text.len())]));
    }

    proptest! {
        #[test]
        fn it_finds_what_trying_finds(
            sought in "[a+/% é\\\\]{1,5}",
            parts in prop::collection::vec("(a|/|%|\\\\|\\+| |é|%61|%2f|%C3%a9|%c3|\\\\/|\\\\u002f|\\\\u00|\\\\x61|%25|2|\\\\n){0,4}", 0..8),
            cut in 0..4_usize,
        ) {
            let whole = parts.concat();
            let text = &whole.as_bytes()[..whole.len().saturating_sub(cut)];
            let automaton = Automaton::new(&sought).unwrap();
            for from in 0..=text.len() {
                prop_assert_eq!(automaton.look(text, from, &work()), tried(text, from, &sought), "at {}", from);
            }
            let (mut found, mut from) = (Vec::new(), 0);
            while from < text.len() {
                match tried(text, from, &sought) {
                    Sight::Whole(to) => {
                        found.push((from, to));
                        from = to;
                    }
                    _ => from += 1,
                }
            }
            prop_assert_eq!(automaton.find(text, &work()), Some(found));
            let first = text.len().saturating_sub(sought.len() * LONGEST - 1);
            let begins = (first..text.len()).find(|at| tried(text, *at, &sought) == Sight::Beginning);
            prop_assert_eq!(automaton.beginning(text, &work()), begins);
        }
    }
}
