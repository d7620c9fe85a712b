//! A secret, a NUL, and a text that may contain the secret: the output does not contain it, and parts and whole have equal
//! output.

#![no_main]

use isolette::{REDACTED, Redaction};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(end) = bytes.iter().position(|byte| *byte == 0) else { return };
    let (Ok(secret), Ok(text)) = (str::from_utf8(&bytes[..end]), str::from_utf8(&bytes[end + 1..])) else { return };
    let redaction = Redaction::new([secret]);
    let whole = redaction.text(text);
    if secret.chars().count() < 4 {
        assert_eq!(whole, text, "a short secret is not redacted");
        return;
    }
    // The replacement and the text around it may form the secret again.
    if !REDACTED.contains(|character| secret.contains(character)) {
        assert!(!whole.contains(secret), "{secret:?} in {whole:?}");
    }
    assert!(!text.contains(secret) || whole != text || secret.contains("redacted"), "the secret was not redacted");
    let mut stream = redaction.stream();
    let mut shown = String::new();
    let mut rest = text;
    for length in bytes.iter().map(|byte| usize::from(*byte) % 16 + 1) {
        let (part, after) = rest.split_at(rest.floor_char_boundary(length));
        shown += &stream.push(part);
        rest = after;
    }
    shown += &stream.push(rest);
    shown += &stream.finish();
    assert_eq!(shown, whole);
});
