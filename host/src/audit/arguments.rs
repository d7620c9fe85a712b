//! How much of the arguments of a call is put on record.

use std::fmt;

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// Bytes of arguments that are put on record or shown to whoever is asked; nobody would read longer ones.
pub(crate) const SHOWN_LIMIT: usize = 64 << 10;

/// How much of the arguments of each call is put on record:
/// [`SandboxBuilder::record_arguments`](crate::SandboxBuilder::record_arguments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordedArguments {
    /// Nothing. The default without an audit.
    Nothing,
    /// Their SHA-256, by which arguments that are known can be recognised. The default with an audit.
    Digest,
    /// The arguments themselves, without the secrets of the sandbox, and their SHA-256. Those of more than 64 KiB are
    /// replaced by `{"arguments_bytes": n}`.
    Whole,
}

/// The SHA-256 of the arguments of a call, written in hexadecimal.
///
/// Of a tool it is that of the JSON text that arrived; of a custom interface that of the encoded values; of a request that
/// of the URL, the headers as `name: value`, each of them ended by a line feed, and the body; of a file that of what is
/// written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArgumentsDigest([u8; 32]);

impl ArgumentsDigest {
    pub(crate) fn of(feed: impl FnOnce(&mut Sha256)) -> Self {
        let mut hasher = Sha256::new();
        feed(&mut hasher);
        Self(hasher.finalize().into())
    }

    /// Its bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ArgumentsDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ArgumentsDigest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl Serialize for ArgumentsDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
