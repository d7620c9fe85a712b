//! Numbers in JSON that the engine's numbers may not have with all their digits.

/// Digits that the integers up to 2^53 have at most, and more than those that every double has.
const DIGITS: usize = 16;

/// Whether a JSON text may have an integer beyond 2^53: whether it has so many digits in sequence, also in a text.
#[must_use]
pub fn has_long(json: &str) -> bool {
    let bytes = json.as_bytes();
    // A sequence of that length has a digit at each multiple of it.
    let mut place = DIGITS - 1;
    while place < bytes.len() {
        if !bytes[place].is_ascii_digit() {
            place += DIGITS;
            continue;
        }
        let start = bytes[..place].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |before| before + 1);
        let rest = bytes[place..].iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len() - place);
        if place + rest - start >= DIGITS {
            return true;
        }
        place += DIGITS;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sequences_are_found_wherever_they_are() {
        for before in 0..40 {
            for digits in 1..40 {
                for after in 0..20 {
                    let text = format!("{}{}{}", "x".repeat(before), "1".repeat(digits), "x".repeat(after));
                    assert_eq!(has_long(&text), digits >= DIGITS, "{text}");
                }
            }
        }
        assert!(!has_long("") && !has_long("[1,2,3,4,5,6,7,8,9,10,11,12]"));
    }
}
