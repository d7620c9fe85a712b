//! Byte strings of any length.

use serde::{Deserialize, Serialize};

/// Bytes that belong to a message but may exceed the length of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Payload<'a> {
    /// At most [`crate::CHUNK_LIMIT`] bytes in the message itself.
    Inline(#[serde(borrow, with = "serde_bytes")] &'a [u8]),
    /// Bytes that the host stores; see [`crate::transfer`]. The host releases a payload of the guest after the call that
    /// carries it.
    Stored {
        /// Identifies the bytes in [`crate::transfer::Call`].
        handle: u32,
        /// The number of bytes.
        length: u64,
    },
}
