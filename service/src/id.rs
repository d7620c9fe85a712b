//! Identifiers of sandboxes, runs and snapshots: unguessable, and safe in paths and shells.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::clock;

/// Makes an identifier with a prefix that says of what it is: `sb_…`, `run_…`, `snap_…`. It has 128 random bits.
pub(crate) fn random(prefix: &str) -> String {
    // A name that begins with `-` would be a flag.
    format!("{prefix}_{}", random_text())
}

/// As [`random`], but with 88 random bits after the lower 40 of the time in milliseconds. Rows with such keys are written beside
/// those that were written just before, so that many of them change few pages of the database.
pub(crate) fn random_in_order(prefix: &str) -> String {
    let mut bytes = rand::random::<[u8; 16]>();
    bytes[..5].copy_from_slice(&clock::now().to_be_bytes()[3..]);
    format!("{prefix}_{}", URL_SAFE_NO_PAD.encode(bytes))
}

/// 128 random bits.
pub(crate) fn random_text() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}

/// Whether a text can be the name of a sandbox, a context or an idempotency key.
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain) && !text.starts_with(['-', '.'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_in_order_have_the_form_of_others_and_begin_with_the_time() {
        let (before, first, after) = (clock::now(), random_in_order("run"), clock::now());
        let bytes = URL_SAFE_NO_PAD.decode(first.strip_prefix("run_").unwrap()).unwrap();
        let time = bytes[..5].iter().fold(0, |time, byte| time << 8 | i64::from(*byte));
        let lower = |time| time & 0xff_ffff_ffff;
        assert!((lower(before)..=lower(after)).contains(&time));
        assert_eq!(first.len(), random("run").len());
        assert_ne!(first, random_in_order("run"));
    }
}
