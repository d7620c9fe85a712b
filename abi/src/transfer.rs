//! Payloads that are too long for one message. The host stores them for the duration of a run.

use serde::{Deserialize, Serialize};

/// A call that concerns stored payloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// Appends bytes to a payload. The reply is `Option<u32>`: the handle, or `None` if the payload would exceed the storage
    /// limit of the run.
    Append {
        /// The handle from an earlier reply; `None` creates a payload.
        handle: Option<u32>,
        /// The bytes, at most [`crate::CHUNK_LIMIT`].
        #[serde(borrow, with = "serde_bytes")]
        bytes: &'a [u8],
    },
    /// Reads bytes of a payload that the host stored. The reply is [`Chunk`].
    Read {
        /// The handle from [`crate::Payload::Stored`].
        handle: u32,
        /// The position of the first byte.
        offset: u64,
        /// The number of bytes to read. The host returns at most [`crate::CHUNK_LIMIT`].
        length: u32,
    },
    /// Releases a stored payload. The reply is `()`.
    Release {
        /// The handle of a payload of the guest or the host.
        handle: u32,
    },
}

/// A part of the bytes of a stored payload or a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk<'a>(#[serde(borrow, with = "serde_bytes")] pub &'a [u8]);
