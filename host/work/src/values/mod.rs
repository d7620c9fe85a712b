//! JSON from outside, measured before it becomes values.
//!
//! A few bytes of JSON become many times as much: `[0,0,…]` some seventy times, `{"":{"":…}}` a hundred times. So every text
//! from outside is measured before it is parsed, and what its values may take is set aside from one amount that the whole
//! process has, [`ValueMemory`], for as long as they are there.
//!
//! # Who may have how much
//!
//! | what | of the 512 MiB |
//! |---|---|
//! | one message of an MCP client or server; over HTTP a client's counts from its first byte, as it arrives | a quarter |
//! | one host call of a run: the arguments, and what is read for the result. A run has one call at a time | a quarter |
//! | the tools that one MCP server lists | a quarter |
//! | documents and recordings, which the operator has named | everything |
//! | all messages, calls and lists of more than 128 KiB (1/4096) each | seven eighths; the last eighth is for small ones |
//!
//! What is no longer there is given back: a request has twice what its values take while it is parsed, and the length of its
//! program for as long as that runs, waits for its turn, for an approval, or is a task. A call has its arguments until it has
//! ended, twice while somebody is asked about them. What was replayed of a recording is given back with its call.
//!
//! Messages over HTTP and the arguments of a call wait for room that others take, [`WAIT`] at most. All else that finds no
//! room is refused at once.
//!
//! # What this does not do
//!
//! - Clients cannot be told apart for certain, so many requests, or many runs, of one client can take the seven eighths
//!   together; each of them is bounded by its own limits (`limits.payload`, `message_bytes`, the number of runs).
//! - An approver may take as long as the run has time, and what waits is kept for as long.
//! - The value that a program ends with is counted while it is read, and only if it is long. After that it is the embedder's,
//!   and `limits.value` bounds it. So are schemas of tools that were made of OpenAPI documents (`schema_bytes`).
//! - An answer of an MCP server is counted while it is parsed, and what a call makes of it for the call. On its way from one
//!   to the other it is not.

mod measure;
mod memory;
mod reservation;

use std::time::Duration;

use serde_json::Value;

use self::memory::OF_PROCESS;

pub use self::measure::assert_measured;
pub use self::measure::{node_bytes, nodes};
pub use self::{
    measure::value_bytes,
    memory::{NoMemory, ValueMemory},
    reservation::Reservation,
};
use crate::Call;

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
    OF_PROCESS.wait(given_up, || reserve_for_call(bytes)).await
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
