//! Formats parts of URLs and requests as text.

use url::Url;

/// Returns the host of a URL without the dot of the root, which certificates and servers do not accept.
pub(super) fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}

/// Returns text of a guest, shortened for a message.
pub(super) fn shortened(text: &str) -> String {
    let shown = &text[..text.floor_char_boundary(100)];
    format!("{}{}", shown.escape_debug(), if shown.len() < text.len() { "…" } else { "" })
}
