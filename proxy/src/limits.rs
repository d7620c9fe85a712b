//! The limits of a proxy.

/// The limits of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum length of a line in bytes.
    pub line: usize,
    /// Maximum number of requests that are done at the same time.
    pub at_once: usize,
    /// Maximum length in bytes of the lines of all requests that are done at the same time.
    pub held: usize,
}

impl Default for Limits {
    /// 64 MiB, 64 requests, 256 MiB.
    fn default() -> Self {
        Self { line: 64 << 20, at_once: 64, held: 256 << 20 }
    }
}
