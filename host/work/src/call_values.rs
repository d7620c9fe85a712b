//! Memory for the values of the current call.

use std::time::Duration;

use serde_json::Value;

use crate::{
    Call,
    values::{NoMemory, Reservation, ValueMemory, value_bytes},
};

/// How long messages over HTTP and the arguments of a call wait for memory that the values of others take.
pub const WAIT: Duration = Duration::from_secs(2);

/// Why a text is no value.
#[derive(Debug)]
pub enum Unread {
    /// There is no room for its values.
    NoMemory(NoMemory),
    /// It is not JSON.
    NoJson,
}

/// Reads JSON, once there is room for its values, which are needed no longer than the call in whose name this is done.
///
/// # Errors
/// There is no room, or the text is not JSON.
pub fn read_for_call(json: &[u8]) -> Result<Value, Unread> {
    let (bytes, call) = (value_bytes(json), Call::current());
    let here = match &call {
        Some(call) => call.reserve(bytes).map(|()| Reservation::default()),
        None => ValueMemory::reserve(bytes),
    };
    let _here = here.map_err(Unread::NoMemory)?;
    serde_json::from_slice(json).map_err(|_| {
        if let Some(call) = call {
            call.give_back(bytes);
        }
        Unread::NoJson
    })
}

/// Sets memory aside for values that are made elsewhere, until the call has ended in whose name this is done. Outside of a
/// call nothing stays set aside.
///
/// For tools whose results are made of JSON from outside: measure with [`value_bytes`] before parsing.
///
/// # Errors
/// There is not enough, or one call may not have so much.
pub fn reserve_for_call(bytes: u64) -> Result<(), NoMemory> {
    match Call::current() {
        Some(call) => call.reserve(bytes),
        None => ValueMemory::reserve(bytes).map(drop),
    }
}

/// The same, waiting while others leave too little, until `given_up` is ready: usually a timer of [`WAIT`].
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
