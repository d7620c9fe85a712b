//! Secrets that the host never passes to a guest.

use std::{fmt, sync::Arc};

use zeroize::Zeroizing;

/// A password, a token or a key that the host holds for its tools. `Debug` output does not show it, and its memory is
/// overwritten when the last clone is dropped.
#[derive(Clone)]
pub struct Secret(Arc<Zeroizing<String>>);

impl Secret {
    /// Creates a secret from a text.
    pub fn new(secret: impl Into<String>) -> Self {
        Self(Arc::new(Zeroizing::new(secret.into())))
    }

    /// Returns the secret itself, for the one place where it is sent. Text that is built from it must not be logged.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

impl From<String> for Secret {
    fn from(secret: String) -> Self {
        Self::new(secret)
    }
}

impl From<&str> for Secret {
    fn from(secret: &str) -> Self {
        Self::new(secret)
    }
}
