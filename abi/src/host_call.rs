//! The guest side of the host call ABI: calls, and transfer of payloads of any length.
//!
//! The components of an image that call the host share it. It must never retry or reorder calls, because the host counts
//! them.

use alloc::vec::Vec;

use crate::{CHUNK_LIMIT, Call, DecodeError, Payload, decode, encode, transfer};

/// The import `host.call` of an image, or a fake of it in a test.
pub trait HostCall {
    /// Sends a message of at most [`crate::MESSAGE_LIMIT`] bytes and waits for its reply.
    fn call(&mut self, message: &[u8]) -> Vec<u8>;
}

/// Stores `bytes` in the host and returns the handle, or `None` if the storage limit of the run does not allow it.
///
/// # Errors
/// [`DecodeError`] if a reply of the host is malformed.
pub fn store<W: HostCall + ?Sized>(host: &mut W, bytes: &[u8]) -> Result<Option<u32>, DecodeError> {
    let mut handle = None;
    for bytes in bytes.chunks(CHUNK_LIMIT) {
        let reply = host.call(&encode(&Call::Transfer(transfer::Call::Append { handle, bytes })));
        match (decode(&reply)?, handle) {
            (Some(appended), _) => handle = Some(appended),
            (None, Some(begun)) => return release(host, begun).map(|()| None),
            (None, None) => return Ok(None),
        }
    }
    Ok(handle)
}

/// Returns the bytes of a payload, and releases the payload if the host stores it.
///
/// # Errors
/// [`DecodeError`] if a reply of the host is malformed.
pub fn fetch<W: HostCall + ?Sized>(host: &mut W, payload: Payload<'_>) -> Result<Vec<u8>, DecodeError> {
    let (handle, length) = match payload {
        Payload::Inline(bytes) => return Ok(bytes.to_vec()),
        Payload::Stored { handle, length } => (handle, usize::try_from(length).map_err(|_| DecodeError)?),
    };
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| DecodeError)?;
    while bytes.len() < length {
        let wanted = (length - bytes.len()).min(CHUNK_LIMIT);
        let call = transfer::Call::Read { handle, offset: bytes.len() as u64, length: wanted as u32 };
        let reply = host.call(&encode(&Call::Transfer(call)));
        let transfer::Chunk(chunk) = decode(&reply)?;
        if chunk.is_empty() || chunk.len() > wanted {
            return Err(DecodeError);
        }
        bytes.extend_from_slice(chunk);
    }
    release(host, handle)?;
    Ok(bytes)
}

/// Encoded values as `payload` in `wit/capabilities.wit`: the bytes, or no bytes and the handle and length of bytes that the
/// host stores.
pub type Carried = (Vec<u8>, Option<(u32, u64)>);

/// Prepares arguments for a call: stores them in the host if they exceed [`CHUNK_LIMIT`]. If the host does not store them, the
/// function returns the bytes, and the receiver reports that they exceed the limit.
pub fn hand_over<W: HostCall + ?Sized>(host: &mut W, bytes: Vec<u8>) -> Carried {
    if bytes.len() > CHUNK_LIMIT
        && let Ok(Some(handle)) = store(host, &bytes)
    {
        return (Vec::new(), Some((handle, bytes.len() as u64)));
    }
    (bytes, None)
}

/// Returns the bytes of a result, and fetches them if the host stores them.
///
/// # Errors
/// [`DecodeError`] if a reply of the host is malformed.
pub fn receive<W: HostCall + ?Sized>(host: &mut W, (bytes, stored): Carried) -> Result<Vec<u8>, DecodeError> {
    match stored {
        None => Ok(bytes),
        Some((handle, length)) => fetch(host, Payload::Stored { handle, length }),
    }
}

/// Releases a payload that the host stores.
///
/// # Errors
/// [`DecodeError`] if a reply of the host is malformed.
pub fn release<W: HostCall + ?Sized>(host: &mut W, handle: u32) -> Result<(), DecodeError> {
    decode(&host.call(&encode(&Call::Transfer(transfer::Call::Release { handle }))))
}
