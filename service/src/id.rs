//! Identifiers of sandboxes, runs and snapshots: unguessable, and safe in paths and shells.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// Makes an identifier with a prefix that says of what it is: `sb_…`, `run_…`, `snap_…`. It has 128 random bits.
pub(crate) fn random(prefix: &str) -> String {
    // A name that begins with `-` would be a flag.
    format!("{prefix}_{}", random_text())
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
