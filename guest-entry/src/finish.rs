//! Encoding of the result of a run.

use isolette_abi::{
    CHUNK_LIMIT, DecodeError, ErrorReport, Finish, MESSAGE_LIMIT, Payload, Value, decode, encode,
    host_call::{self, HostCall},
};

use crate::{
    bindings::isolette::sandbox::runner::{Error, Outcome},
    clip::clip,
};

/// Maximum length of the class of an error, in bytes.
const KIND_LIMIT: usize = 256;
/// Maximum length of the message of an error, in bytes.
const MESSAGE_TEXT_LIMIT: usize = 64 * 1024;
/// Maximum length of a traceback, in bytes. A traceback of a deep recursion is longer, and its end is of no use.
const TRACEBACK_LIMIT: usize = 1024 * 1024;
/// Maximum length, in bytes, of a traceback that the host does not store and that has to fit the message.
const INLINE_TRACEBACK_LIMIT: usize = 16 * 1024;
/// Maximum size of tags and lengths, in bytes, including those of the console output.
const FRAME_SIZE: usize = 1024;

/// Encodes an outcome and the buffered console output (an encoded list of `Output`s) as one message.
///
/// # Errors
/// [`DecodeError`] if the host or the adapter sends a malformed message.
pub(crate) fn finish<W: HostCall + ?Sized>(
    host: &mut W,
    outcome: &Outcome,
    console: &[u8],
) -> Result<Vec<u8>, DecodeError> {
    let mut error = outcome.error.as_ref().map(clipped);
    let texts = error.as_ref().map_or(0, |error| error.kind.len() + error.message.len());
    let mut room = MESSAGE_LIMIT.saturating_sub(FRAME_SIZE + INLINE_TRACEBACK_LIMIT + console.len() + texts);

    let mut value = None;
    if let Some(whole) = &outcome.value {
        match pack(host, whole.json.as_bytes(), &mut room)? {
            Some(json) => value = Some(Value { json, exact: whole.exact }),
            None => error = error.or_else(|| Some(too_long(whole.json.len()))),
        }
    }

    let traceback = error.as_ref().map_or("", |error| &error.traceback);
    let whole = outcome.error.as_ref().map_or("", |error| &error.traceback);
    let inline = clip(whole, INLINE_TRACEBACK_LIMIT);
    room += INLINE_TRACEBACK_LIMIT;
    let traceback = pack(host, traceback.as_bytes(), &mut room)?.unwrap_or(Payload::Inline(inline.as_bytes()));
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

/// Encodes the result of a run that could not start.
pub(crate) fn refusal(kind: &str, message: &str) -> Vec<u8> {
    let error = ErrorReport { kind, message, line: None, traceback: Payload::Inline(b"") };
    encode(&Finish { value: None, error: Some(error), exit_code: 1, console: Vec::new() })
}

/// Returns the error with its texts cut to their limits.
fn clipped(error: &Error) -> Error {
    Error {
        kind: clip(&error.kind, KIND_LIMIT).into_owned(),
        message: clip(&error.message, MESSAGE_TEXT_LIMIT).into_owned(),
        line: error.line,
        traceback: clip(&error.traceback, TRACEBACK_LIMIT).into_owned(),
    }
}

/// Returns the error of a program whose value exceeds the storage limit of the host.
fn too_long(length: usize) -> Error {
    let message = format!(
        "the value is {length} bytes long as JSON, which exceeds the limit of the run; hint: write it to a file"
    );
    Error { kind: "ValueTooLong".into(), message, line: None, traceback: String::new() }
}

/// Puts bytes into the message if they fit the remaining `room`, otherwise stores them in the host. Returns `None` if they
/// exceed the storage limit of the host.
fn pack<'a, W: HostCall + ?Sized>(
    host: &mut W,
    bytes: &'a [u8],
    room: &mut usize,
) -> Result<Option<Payload<'a>>, DecodeError> {
    if bytes.len() <= CHUNK_LIMIT.min(*room) {
        *room -= bytes.len();
        return Ok(Some(Payload::Inline(bytes)));
    }
    let handle = host_call::store(host, bytes)?;
    Ok(handle.map(|handle| Payload::Stored { handle, length: bytes.len() as u64 }))
}
