//! Payloads that are too long for one message, kept by the host for the time of a run.

use serde::{Deserialize, Serialize};

/// What a guest does with stored payloads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call<'a> {
    /// Adds bytes to a payload; without a handle, to a new one. The reply is `Option<u32>`: the handle, or `None` when
    /// the host will not keep as much.
    Append {
        /// From an earlier reply.
        handle: Option<u32>,
        /// At most [`crate::CHUNK_LIMIT`].
        #[serde(borrow, with = "serde_bytes")]
        bytes: &'a [u8],
    },
    /// Reads from a payload that the host announced. The reply is [`Chunk`].
    Read {
        /// From the host's message.
        handle: u32,
        /// In bytes.
        offset: u64,
        /// In bytes; the host gives at most [`crate::CHUNK_LIMIT`].
        length: u32,
    },
    /// Tells the host that a payload is no longer needed. The reply is `()`.
    Release {
        /// From either side.
        handle: u32,
    },
}

/// Part of a stored payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk<'a>(#[serde(borrow, with = "serde_bytes")] pub &'a [u8]);
