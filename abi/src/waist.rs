//! The guest's end of the waist: asking, and moving payloads of any length.
//!
//! The two components of an image that talk to the wall share it. It must never retry or reorder what it is asked to
//! send: the host counts calls.

use alloc::vec::Vec;

use crate::{CHUNK_LIMIT, Call, DecodeError, Payload, decode, encode, transfer};

/// The one import of an image, or what stands for it in a test.
pub trait Waist {
    /// Sends a message of at most [`crate::MESSAGE_LIMIT`] bytes and waits for its reply.
    fn call(&mut self, message: &[u8]) -> Vec<u8>;
}

/// Has the host keep `bytes`. `None` when it will not keep as much.
///
/// # Errors
/// Fails when the host answers with something else than it should.
pub fn store<W: Waist + ?Sized>(waist: &mut W, bytes: &[u8]) -> Result<Option<u32>, DecodeError> {
    let mut handle = None;
    for bytes in bytes.chunks(CHUNK_LIMIT) {
        let reply = waist.call(&encode(&Call::Transfer(transfer::Call::Append { handle, bytes })));
        match (decode(&reply)?, handle) {
            (Some(appended), _) => handle = Some(appended),
            (None, Some(begun)) => return release(waist, begun).map(|()| None),
            (None, None) => return Ok(None),
        }
    }
    Ok(handle)
}

/// The bytes of a payload, which the host need not keep any longer.
///
/// # Errors
/// Fails when the host answers with something else than it should.
pub fn fetch<W: Waist + ?Sized>(waist: &mut W, payload: Payload<'_>) -> Result<Vec<u8>, DecodeError> {
    let (handle, length) = match payload {
        Payload::Inline(bytes) => return Ok(bytes.to_vec()),
        Payload::Stored { handle, length } => (handle, usize::try_from(length).map_err(|_| DecodeError)?),
    };
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| DecodeError)?;
    while bytes.len() < length {
        let wanted = (length - bytes.len()).min(CHUNK_LIMIT);
        let call = transfer::Call::Read { handle, offset: bytes.len() as u64, length: wanted as u32 };
        let reply = waist.call(&encode(&Call::Transfer(call)));
        let transfer::Chunk(chunk) = decode(&reply)?;
        if chunk.is_empty() || chunk.len() > wanted {
            return Err(DecodeError);
        }
        bytes.extend_from_slice(chunk);
    }
    release(waist, handle)?;
    Ok(bytes)
}

/// The bytes of values as `wit/capabilities.wit` has them: here, or with the host, and then the handle and the length.
pub type Carried = (Vec<u8>, Option<(u32, u64)>);

/// Has the host keep arguments that are long. Who gets them instead may find that they are more than the host keeps.
pub fn hand_over<W: Waist + ?Sized>(waist: &mut W, bytes: Vec<u8>) -> Carried {
    if bytes.len() > CHUNK_LIMIT
        && let Ok(Some(handle)) = store(waist, &bytes)
    {
        return (Vec::new(), Some((handle, bytes.len() as u64)));
    }
    (bytes, None)
}

/// The bytes of a result, wherever they are.
///
/// # Errors
/// Fails when the host answers with something else than it should.
pub fn receive<W: Waist + ?Sized>(waist: &mut W, (bytes, stored): Carried) -> Result<Vec<u8>, DecodeError> {
    match stored {
        None => Ok(bytes),
        Some((handle, length)) => fetch(waist, Payload::Stored { handle, length }),
    }
}

/// Tells the host that it need not keep a payload any longer.
///
/// # Errors
/// Fails when the host answers with something else than it should.
pub fn release<W: Waist + ?Sized>(waist: &mut W, handle: u32) -> Result<(), DecodeError> {
    decode(&waist.call(&encode(&Call::Transfer(transfer::Call::Release { handle }))))
}
