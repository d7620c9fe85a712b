//! Something that must not be seen.

use std::fmt;

use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

/// A text that is never shown: `Debug` and `Display` print `[redacted]`, and its memory is cleared when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Keeps a text. It must not be empty: that is what a variable that was forgotten looks like.
    #[must_use]
    pub fn new(text: String) -> Option<Self> {
        let text = Zeroizing::new(text);
        let trimmed = text.trim();
        (!trimmed.is_empty()).then(|| Self(Zeroizing::new(trimmed.to_owned())))
    }

    /// The text itself, for where it is needed.
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Compares in a time that says nothing of where the two differ.
    pub(crate) fn is(&self, other: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(other).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}
