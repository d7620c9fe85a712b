//! Bytes to messages and back.

use alloc::vec::Vec;
use core::fmt;

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

/// The bytes are not the message that was expected.
///
/// Deliberately without detail: the bytes are not trusted, and whoever sent them knows what they meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError;

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("malformed message")
    }
}

impl core::error::Error for DecodeError {}

/// Encodes a message.
pub fn encode<T: Serialize + ?Sized>(message: &T) -> Vec<u8> {
    encode_into(Vec::new(), message)
}

/// Encodes a message at the end of `buffer`, so that a caller can use one buffer again.
pub fn encode_into<T: Serialize + ?Sized>(buffer: Vec<u8>, message: &T) -> Vec<u8> {
    // The only error postcard has for the types of this crate is a full buffer, and a vector grows.
    postcard::serialize_with_flavor(message, Buffer(buffer)).unwrap_or_default()
}

/// What a message is written to. `postcard::to_extend` writes byte by byte, which a guest takes its time for.
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
/// Fails on anything else, without panicking and without allocating more than a small multiple of `bytes`.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        _ => Err(DecodeError),
    }
}

/// Decodes what `bytes` begin with, whatever follows: the version of a message that may be foreign otherwise.
///
/// # Errors
/// Fails like [`decode`].
pub fn decode_prefix<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, DecodeError> {
    postcard::take_from_bytes(bytes).map(|(message, _)| message).map_err(|_| DecodeError)
}
