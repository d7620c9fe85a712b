//! Parts of URLs and requests as text.

use url::Url;

/// The host of a URL as other parties want it: certificates and servers know no root's dot.
pub(super) fn host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_suffix('.').unwrap_or(host)
}

/// What a guest wrote, short enough for a message.
pub(super) fn shortened(text: &str) -> String {
    let shown = &text[..text.floor_char_boundary(100)];
    format!("{}{}", shown.escape_debug(), if shown.len() < text.len() { "…" } else { "" })
}
