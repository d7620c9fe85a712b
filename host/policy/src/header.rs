//! Headers of the connection, which the host controls.

use http::HeaderName;

/// Returns whether a header belongs to the connection, which the host makes. Such a header is neither accepted from a
/// program nor passed to it.
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
