//! Memory for the values of the current call.

use std::time::Duration;

use serde_json::Value;

use crate::{
    Call,
    values::{LostDigits, NoMemory, ReadError, Reservation, ValueMemory, read_json, value_bytes},
};

/// How long HTTP messages and the arguments of a call wait for memory that other values use.
pub const WAIT: Duration = Duration::from_secs(2);

/// Why a JSON text was not parsed.
#[derive(Debug)]
pub enum Unread {
    /// There is not enough memory for its values.
    NoMemory(NoMemory),
    /// A number would lose digits.
    LostDigits(LostDigits),
    /// The text is not valid JSON.
    NoJson,
}

/// Parses JSON, after it has reserved memory for its values. Within a call the memory is released when the call ends;
/// otherwise when this returns.
///
/// # Errors
/// [`Unread::NoMemory`] if there is not enough memory, [`Unread::LostDigits`] if a number would lose digits,
/// [`Unread::NoJson`] if the text is not valid JSON.
pub fn read_for_call(json: &[u8]) -> Result<Value, Unread> {
    let (bytes, call) = (value_bytes(json), Call::current());
    let here = match &call {
        Some(call) => call.reserve(bytes).map(|()| Reservation::default()),
        None => ValueMemory::reserve(bytes),
    };
    let _here = here.map_err(Unread::NoMemory)?;
    read_json(json).map_err(|error| {
        if let Some(call) = call {
            call.give_back(bytes);
        }
        match error {
            ReadError::LostDigits(lost) => Unread::LostDigits(lost),
            ReadError::NoJson(_) => Unread::NoJson,
        }
    })
}

/// Reserves memory for values that are created elsewhere, until the current call has ended. Outside of a call the
/// memory is only checked and released at once.
///
/// For tools whose results are parsed from JSON of another system: measure with [`value_bytes`] before parsing.
///
/// # Errors
/// [`NoMemory`] if too little memory is free, or if the call would exceed its share.
pub fn reserve_for_call(bytes: u64) -> Result<(), NoMemory> {
    match Call::current() {
        Some(call) => call.reserve(bytes),
        None => ValueMemory::reserve(bytes).map(drop),
    }
}

/// Like [`reserve_for_call`], but waits while other values leave too little memory, until `given_up` is ready: usually
/// a timer of [`WAIT`].
///
/// # Errors
/// As [`reserve_for_call`].
pub async fn reserve_for_call_until(bytes: u64, given_up: impl Future<Output = ()>) -> Result<(), NoMemory> {
    ValueMemory::wait(given_up, || reserve_for_call(bytes)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Interrupt;

    #[derive(Debug)]
    struct Never;

    impl Interrupt for Never {
        fn is_over(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_text_with_too_many_values_is_not_read() {
        let many = format!("[{}1]", "1,".repeat(7_500_000));
        assert!(matches!(read_for_call(many.as_bytes()), Err(Unread::NoMemory(_))));
        assert!(matches!(read_for_call(b"[1"), Err(Unread::NoJson)));
        assert!(matches!(read_for_call(b"[1e999]"), Err(Unread::LostDigits(_))));
        assert_eq!(read_for_call(b"[1, 2]").unwrap(), serde_json::json!([1, 2]));
    }

    #[test]
    fn one_call_has_a_quarter_however_often_it_asks() {
        let call = Call::new(Never);
        let most = ValueMemory::limit() / 4;
        call.within(|| {
            read_for_call(b"[1, 2]").unwrap();
            let read = call.reserved();
            assert!(read > 6);
            assert!(matches!(read_for_call(b"[1, 2"), Err(Unread::NoJson)));
            assert_eq!(call.reserved(), read, "what was no value is given back");
            reserve_for_call(1_000).unwrap();
            let why = reserve_for_call(most - read - 999).unwrap_err();
            assert_eq!((why.bytes, why.room, why.busy), (most + 1, most, false));
            assert_eq!(call.reserved(), read + 1_000);
        });
    }
}
