//! Another request that a server may treat a request as.

use url::Url;

/// Another request that a server may treat a request as.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Override {
    /// The header or field that specifies it, for messages.
    pub place: String,
    /// The HTTP method.
    pub method: String,
    /// The URL.
    pub url: Url,
}
