//! Writing down how a run ended.

use isolette_abi::{
    CHUNK_LIMIT, DecodeError, ErrorReport, Finish, MESSAGE_LIMIT, Payload, Value, decode, encode,
    waist::{self, Waist},
};

use crate::{bindings::isolette::sandbox::runner::Outcome, clip::clip};

/// Bytes of an error's class.
const KIND_LIMIT: usize = 256;
/// Bytes of an error's message.
const MESSAGE_TEXT_LIMIT: usize = 64 * 1024;
/// Bytes of a traceback. A recursion's can be longer, and nobody reads it.
const TRACEBACK_LIMIT: usize = 1024 * 1024;
/// What tags and lengths take at most, besides the console's, which are counted with it.
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
    let error = outcome.error.as_ref();
    let kind = error.map(|error| clip(&error.kind, KIND_LIMIT)).unwrap_or_default();
    let message = error.map(|error| clip(&error.message, MESSAGE_TEXT_LIMIT)).unwrap_or_default();
    let traceback = error.map(|error| clip(&error.traceback, TRACEBACK_LIMIT)).unwrap_or_default();

    let mut room = MESSAGE_LIMIT.saturating_sub(FRAME + console.len() + kind.len() + message.len()).min(CHUNK_LIMIT);
    let mut carry = |bytes| {
        let payload = carry(waist, bytes, room)?;
        if let Some(Payload::Inline(bytes)) = payload {
            room -= bytes.len();
        }
        Ok(payload)
    };
    let traceback = carry(traceback.as_bytes())?.unwrap_or(Payload::Inline(b""));
    let value = match &outcome.value {
        Some(value) => carry(value.json.as_bytes())?.map(|json| Value { json, exact: value.exact }),
        None => None,
    };
    let lost = outcome.value.as_ref().filter(|_| value.is_none()).map(|value| too_long(value.json.len()));

    let error = match (error, &lost) {
        (Some(error), _) => Some(ErrorReport { kind: &kind, message: &message, line: error.line, traceback }),
        (None, Some(message)) => {
            Some(ErrorReport { kind: "ValueTooLong", message, line: None, traceback: Payload::Inline(b"") })
        }
        (None, None) => None,
    };
    let exit_code = if lost.is_some() && outcome.exit_code == 0 { 1 } else { outcome.exit_code };
    Ok(encode(&Finish { value, error, exit_code, console: decode(console)? }))
}

/// A run that could not begin.
pub(crate) fn refusal(kind: &str, message: &str) -> Vec<u8> {
    let error = ErrorReport { kind, message, line: None, traceback: Payload::Inline(b"") };
    encode(&Finish { value: None, error: Some(error), exit_code: 1, console: Vec::new() })
}

fn too_long(length: usize) -> String {
    format!("the value is {length} bytes long as JSON, more than the host keeps; hint: write it to a file")
}

/// In the message itself if there is room, else kept by the host. `None` when it will not keep as much.
fn carry<'a, W: Waist + ?Sized>(
    waist: &mut W,
    bytes: &'a [u8],
    room: usize,
) -> Result<Option<Payload<'a>>, DecodeError> {
    if bytes.len() <= room {
        return Ok(Some(Payload::Inline(bytes)));
    }
    let stored = waist::store(waist, bytes)?;
    Ok(stored.map(|handle| Payload::Stored { handle, length: bytes.len() as u64 }))
}
