//! The final message of a guest, which is untrusted like all others.

use std::sync::{Mutex, PoisonError};

use isolette_abi::{ErrorReport, Finish, MESSAGE_LIMIT, decode};
use serde_json::Value;

use crate::{broker::Broker, broker::Record};
use isolette_deadline::Stop;
use isolette_policy::Limits;
use isolette_types::{ExecutionResult, GuestError, LimitHit, LimitName};
use isolette_work::{
    values::NoMemory, values::Reservation, values::ValueMemory, values::read_json, values::value_bytes,
};

/// Maximum length, in bytes, of the name of an exception's class.
const KIND: u64 = 1024;

/// Maximum size, in bytes, of a value that is accepted without a reservation of memory.
const SMALL: u64 = 8 << 20;

/// The checked content of a guest's final message.
pub(super) struct Finished {
    value: Option<(Value, bool)>,
    truncated: bool,
    error: Option<GuestError>,
    error_bytes: u64,
    exit_code: i32,
}

impl Finished {
    /// Decodes and checks the untrusted final message of a guest.
    pub(super) fn decode(
        reply: &[u8],
        broker: &Mutex<Broker>,
        record: &Mutex<Record>,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        // The decoded form may take a dozen times the memory of the message.
        if reply.len() > MESSAGE_LIMIT {
            return Err(Stop::Malformed);
        }
        let finish: Finish<'_> = decode(reply).map_err(|_| Stop::Malformed)?;
        let mut broker = broker.lock().unwrap_or_else(PoisonError::into_inner);
        for output in &finish.console {
            broker.output(*output);
        }
        let mut truncated = false;
        let mut reached = Vec::new();
        let value = match finish.value {
            None => None,
            Some(value) => {
                let json = broker.take(value.json)?;
                let length = json.len() as u64;
                let room = (length <= limits.value).then(|| room_for(value_bytes(&json)));
                truncated = !matches!(room, Some(Ok(_)));
                match room {
                    None => reached.push(LimitHit::new(LimitName::Value, limits.value, length)),
                    Some(Err(why)) => reached.push(LimitHit::new(LimitName::ValueMemory, why.room, why.bytes)),
                    Some(Ok(_)) => {}
                }
                (!truncated).then(|| parse(&json, value.exact))
            }
        };
        let mut error_bytes = 0;
        let error = match finish.error {
            None => None,
            Some(ErrorReport { kind, message, line, traceback }) => {
                let mut error = GuestError::default();
                error.kind = clip(kind, KIND, &mut 0);
                error.message = clip(message, limits.error, &mut error_bytes);
                error.line = line;
                error.traceback =
                    clip(&String::from_utf8_lossy(&broker.take(traceback)?), limits.error, &mut error_bytes);
                Some(error)
            }
        };
        if error_bytes > 0 {
            reached.push(LimitHit::new(LimitName::Error, limits.error, limits.error.saturating_add(error_bytes)));
        }
        let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
        reached.into_iter().for_each(|limit_hit| record.reached(limit_hit));
        Ok(Self { value, truncated, error, error_bytes, exit_code: finish.exit_code })
    }

    pub(super) fn put_into(self, result: &mut ExecutionResult) {
        if let Some((value, exact)) = self.value {
            result.value = Some(value);
            result.value_exact = exact;
        }
        result.truncated.value = self.truncated;
        result.truncated.error = self.error_bytes;
        result.error = self.error;
        result.exit_code = self.exit_code;
    }
}

/// Reserves memory for a value. A small value needs no reservation, so that a program keeps its result when the host is
/// busy.
fn room_for(bytes: u64) -> Result<Option<Reservation>, NoMemory> {
    (bytes > SMALL).then(|| ValueMemory::reserve(bytes)).transpose()
}

/// Cuts a text to a limit. The number of bytes that are removed is added to `omitted`.
fn clip(text: &str, limit: u64, omitted: &mut u64) -> String {
    let end = text.floor_char_boundary(usize::try_from(limit).unwrap_or(usize::MAX));
    *omitted += (text.len() - end) as u64;
    text[..end].to_owned()
}

/// Parses a value. JSON that the host cannot parse (nested more than 128 levels deep, or numbers that would lose digits)
/// is returned as text.
fn parse(json: &[u8], exact: bool) -> (Value, bool) {
    match read_json(json) {
        Ok(value) => (value, exact),
        Err(_) => (Value::String(String::from_utf8_lossy(json).into_owned()), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_numbers_that_lose_digits_stays_text() {
        assert_eq!(parse(b"[18446744073709551615]", true), (serde_json::json!([u64::MAX]), true));
        assert_eq!(parse(b"[18446744073709551616]", true), ("[18446744073709551616]".into(), false));
    }

    #[test]
    fn a_small_value_needs_no_room() {
        assert!(matches!(room_for(SMALL), Ok(None)));
        assert!(matches!(room_for(SMALL + 1), Ok(Some(_))));
        assert!(room_for(u64::MAX).is_err());
    }
}
