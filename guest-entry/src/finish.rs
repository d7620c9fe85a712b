//! Writing down how a run ended.

use isolette_abi::{
    CHUNK_LIMIT, DecodeError, ErrorReport, Finish, MESSAGE_LIMIT, Payload, Value, decode, encode,
    waist::{self, Waist},
};

use crate::{
    bindings::isolette::sandbox::runner::{Error, Outcome},
    clip::clip,
};

/// Bytes of an error's class.
const KIND_LIMIT: usize = 256;
/// Bytes of an error's message.
const MESSAGE_TEXT_LIMIT: usize = 64 * 1024;
/// Bytes of a traceback. A recursion's can be longer, and nobody reads it.
const TRACEBACK_LIMIT: usize = 1024 * 1024;
/// Bytes of a traceback that the host will not keep, so that it has to fit the message.
const LAST_RESORT: usize = 16 * 1024;
/// What tags and lengths take at most; the console's are counted with it.
const FRAME: usize = 1024;

/// Encodes an outcome and what the console still held (an encoded list of `Output`s) as one message.
///
/// # Errors
/// Fails when the host or the adapter does not speak the contract.
pub(crate) fn finish<W: Waist + ?Sized>(
    waist: &mut W,
    outcome: &Outcome,
    console: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    let mut error = outcome.error.as_ref().map(clipped);
    let texts = error.as_ref().map_or(0, |error| error.kind.len() + error.message.len());
    let mut room = MESSAGE_LIMIT.saturating_sub(FRAME + LAST_RESORT + console.len() + texts);

    let mut value = None;
    if let Some(whole) = &outcome.value {
        match carry(waist, whole.json.as_bytes(), &mut room)? {
            Some(json) => value = Some(Value { json, exact: whole.exact }),
            None => error = error.or_else(|| Some(too_long(whole.json.len()))),
        }
    }

    let traceback = error.as_ref().map_or("", |error| &error.traceback);
    let whole = outcome.error.as_ref().map_or("", |error| &error.traceback);
    let last_resort = clip(whole, LAST_RESORT);
    room += LAST_RESORT;
    let traceback = carry(waist, traceback.as_bytes(), &mut room)?.unwrap_or(Payload::Inline(last_resort.as_bytes()));
    let lost = value.is_none() && outcome.value.is_some();
    Ok(encode(&Finish {
        value,
        error: error.as_ref().map(|error| ErrorReport {
            kind: &error.kind,
            message: &error.message,
            line: error.line,
            traceback,
        }),
        exit_code: if lost && outcome.exit_code == 0 { 1 } else { outcome.exit_code },
        console: decode(console)?,
    }))
}

/// A run that could not begin.
pub(crate) fn refusal(kind: &str, message: &str) -> Vec<u8> {
    let error = ErrorReport { kind, message, line: None, traceback: Payload::Inline(b"") };
    encode(&Finish { value: None, error: Some(error), exit_code: 1, console: Vec::new() })
}

/// The same error, with texts that have room.
fn clipped(error: &Error) -> Error {
    Error {
        kind: clip(&error.kind, KIND_LIMIT).into_owned(),
        message: clip(&error.message, MESSAGE_TEXT_LIMIT).into_owned(),
        line: error.line,
        traceback: clip(&error.traceback, TRACEBACK_LIMIT).into_owned(),
    }
}

/// What a program gets whose value is lost.
fn too_long(length: usize) -> Error {
    let message = format!(
        "the value is {length} bytes long as JSON, more than the host keeps for one run; hint: write it to a file"
    );
    Error { kind: "ValueTooLong".into(), message, line: None, traceback: String::new() }
}

/// Puts bytes into the message itself if they fit the room that is left, else into the host's keeping. `None` when it will
/// not keep as much.
fn carry<'a, W: Waist + ?Sized>(
    waist: &mut W,
    bytes: &'a [u8],
    room: &mut usize,
) -> Result<Option<Payload<'a>>, DecodeError> {
    if bytes.len() <= CHUNK_LIMIT.min(*room) {
        *room -= bytes.len();
        return Ok(Some(Payload::Inline(bytes)));
    }
    let handle = waist::store(waist, bytes)?;
    Ok(handle.map(|handle| Payload::Stored { handle, length: bytes.len() as u64 }))
}
