//! Encoding and decoding of messages.

use alloc::vec::Vec;
use core::fmt;

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

/// The bytes do not decode as the expected message.
///
/// It carries no detail, because the bytes are untrusted and the sender does not need an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError;

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("malformed message")
    }
}

impl core::error::Error for DecodeError {}

/// Encodes a message as postcard bytes.
pub fn encode<T: Serialize + ?Sized>(message: &T) -> Vec<u8> {
    encode_into(Vec::new(), message)
}

/// Encodes a message after the contents of `buffer` and returns the buffer, so that a caller can reuse one allocation.
pub fn encode_into<T: Serialize + ?Sized>(buffer: Vec<u8>, message: &T) -> Vec<u8> {
    // The only postcard error for the types of this crate is a full buffer, and a vector grows.
    postcard::serialize_with_flavor(message, Buffer(buffer)).unwrap_or_default()
}

/// The output of the serializer. `postcard::to_extend` writes byte by byte, which is slow in a guest.
struct Buffer(Vec<u8>);

impl Flavor for Buffer {
    type Output = Vec<u8>;

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<Vec<u8>> {
        Ok(self.0)
    }
}

/// Decodes a message that must fill `bytes` exactly.
///
/// # Errors
/// [`DecodeError`] for any other bytes. The decoder never panics, and allocates at most a small multiple of `bytes.len()`.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        _ => Err(DecodeError),
    }
}

/// Decodes a value at the start of `bytes` and ignores the rest. The guest reads the version of a message this way before it
/// knows whether it can decode the message.
///
/// # Errors
/// [`DecodeError`] if `bytes` does not start with the value.
pub fn decode_prefix<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    postcard::take_from_bytes(bytes).map(|(message, _)| message).map_err(|_| DecodeError)
}
