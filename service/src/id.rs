//! Identifiers of sandboxes, runs and snapshots: unguessable, safe in paths and shells, and labels of host names.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use crate::clock;

/// Maximum length of a label of a host name after a port and `-` (RFC 1035, section 2.3.4).
const LABEL: usize = 63 - "65535-".len();

/// Makes an identifier with a prefix that says of what it is: `sb-…`, `run-…`, `snap-…`. It has 128 random bits, as hexadecimal
/// digits: names of hosts have no upper case and no `_`.
pub(crate) fn random(prefix: &str) -> String {
    // A name that begins with `-` would be a flag.
    format!("{prefix}-{}", hex::encode(rand::random::<[u8; 16]>()))
}

/// As [`random`], but with 88 random bits after the lower 40 of the time in milliseconds. Rows with such keys are written beside
/// those that were written just before, so that many of them change few pages of the database.
pub(crate) fn random_in_order(prefix: &str) -> String {
    let mut bytes = rand::random::<[u8; 16]>();
    bytes[..5].copy_from_slice(&clock::now().to_be_bytes()[3..]);
    format!("{prefix}-{}", hex::encode(bytes))
}

/// Makes an identifier of a server. It has 96 random bits, so that those of runs that end with it are labels, too.
pub(crate) fn of_server() -> String {
    hex::encode(rand::random::<[u8; 12]>())
}

/// 128 random bits, for secrets and marks that no name of a host has.
pub(crate) fn random_text() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 16]>())
}

/// Whether a text can be the name of a sandbox, a context or an idempotency key.
pub(crate) fn is_name(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_plain) && !text.starts_with(['-', '.'])
}

/// Whether a text has the form of an identifier of [`random`] with this prefix.
pub(crate) fn is_random(prefix: &str, text: &str) -> bool {
    let digits = text.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('-'));
    digits.is_some_and(|digits| {
        digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Whether a text can be a label of a host name with `49999-` before it: letters in lower case, digits and `-`.
pub(crate) fn is_label(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=LABEL).contains(&text.len()) && text.bytes().all(is_plain) && !text.starts_with('-') && !text.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_labels_of_host_names() {
        for prefix in ["sb", "run", "snap", "ctx", "file", "files", "at"] {
            for id in [random(prefix), random_in_order(prefix)] {
                assert!(is_label(&id) && is_name(&id) && id.starts_with(prefix), "{id}");
                assert!(
                    is_random(prefix, &id) && !is_random("s", &id) && !is_random(prefix, &id[..id.len() - 1]),
                    "{id}"
                );
                assert!(format!("65535-{id}").len() <= 63, "{id}");
            }
        }
        assert!(format!("{}-{}", random("run"), of_server()).len() <= 63 && is_name(&of_server()));
        for text in ["", "-a", "a-", "A", "a_b", "a.b", "\u{e9}", "a b", &"a".repeat(58)] {
            assert!(!is_label(text), "{text}");
        }
    }

    #[test]
    fn identifiers_in_order_have_the_form_of_others_and_begin_with_the_time() {
        let (before, first, after) = (clock::now(), random_in_order("run"), clock::now());
        let bytes = hex::decode(first.strip_prefix("run-").unwrap()).unwrap();
        let time = bytes[..5].iter().fold(0, |time, byte| time << 8 | i64::from(*byte));
        let lower = |time| time & 0xff_ffff_ffff;
        assert!((lower(before)..=lower(after)).contains(&time));
        assert_eq!(first.len(), random("run").len());
        assert_ne!(first, random_in_order("run"));
    }
}
