//! SHA-256 digests of what a run was given and of what it left.

use std::{
    fmt,
    io::{self, Read},
};

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

/// Bytes that are read at a time.
const CHUNK: usize = 256 << 10;

/// The SHA-256 of the arguments of a call, written in hexadecimal.
///
/// For a tool it is that of the JSON text that arrived; for a custom interface that of the encoded values; for a request that
/// of the URL, the headers as `name: value`, each of them ended by a line feed, and the body; for a file that of the bytes
/// that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArgumentsDigest([u8; 32]);

impl ArgumentsDigest {
    /// The digest of all bytes that `feed` passes to the hasher.
    pub fn of(feed: impl FnOnce(&mut Sha256)) -> Self {
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

/// Size in bytes and SHA-256 (lower-case hexadecimal) of everything that a reader returns.
///
/// # Errors
/// Those of the reader.
pub fn digest(mut reader: impl Read) -> io::Result<(u64, String)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; CHUNK];
    let mut size = 0;
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        hasher.update(&buffer[..count]);
        size += count as u64;
    }
    Ok((size, format!("{:x}", hasher.finalize())))
}
