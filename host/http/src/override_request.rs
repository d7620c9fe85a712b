//! A request as which a server may treat another one.

use url::Url;

/// A request as which a server may treat another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Override {
    /// The header or field that names it, for messages.
    pub place: String,
    /// The method.
    pub method: String,
    /// The URL.
    pub url: Url,
}
