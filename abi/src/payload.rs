//! Bytes of any length.

use serde::{Deserialize, Serialize};

/// Bytes that belong to a message and may be longer than a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payload<'a> {
    /// At most [`crate::CHUNK_LIMIT`] bytes, in the message itself.
    Inline(#[serde(borrow, with = "serde_bytes")] &'a [u8]),
    /// Kept by the host; see [`crate::transfer`]. One of the guest's belongs to the call that it is part of, and is gone
    /// after it.
    Stored {
        /// Names the bytes in [`crate::transfer::Call`].
        handle: u32,
        /// How many there are.
        length: u64,
    },
}
