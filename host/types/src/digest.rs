//! SHA-256 digests of the inputs and outputs of a run.

use std::{
    fmt,
    io::{self, Read},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest as _, Sha256};

/// Number of bytes to read at a time.
const CHUNK: usize = 256 << 10;

/// The SHA-256 of the arguments of a call, written in lower-case hexadecimal.
///
/// The hashed bytes are: for a tool, the JSON text as received; for a custom interface, the encoded values; for a
/// request, the URL, the headers as `name: value`, each followed by a line feed, and the body; for a file, the bytes
/// that are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ArgumentsDigest([u8; 32]);

impl ArgumentsDigest {
    /// Returns the digest of all bytes that `feed` passes to the hasher.
    pub fn of(feed: impl FnOnce(&mut Sha256)) -> Self {
        let mut hasher = Sha256::new();
        feed(&mut hasher);
        Self(hasher.finalize().into())
    }

    /// Returns the 32 bytes of the digest.
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

impl<'de> Deserialize<'de> for ArgumentsDigest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(String::deserialize(deserializer)?, &mut bytes).map_err(de::Error::custom)?;
        Ok(Self(bytes))
    }
}

/// Returns the size in bytes and the SHA-256 (lower-case hexadecimal) of everything that a reader returns.
///
/// # Errors
/// The errors of the reader.
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
    Ok((size, hex::encode(hasher.finalize())))
}
