//! Headers that belong to the connection.

use http::HeaderName;

/// Whether a header is about the connection, which the host makes: it is neither taken from a program nor passed to it.
pub fn is_of_connection(name: &HeaderName) -> bool {
    const NAMES: [&str; 9] = [
        "connection",
        "content-length",
        "expect",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "http2-settings",
    ];
    NAMES.contains(&name.as_str()) || name.as_str().starts_with("proxy-")
}
