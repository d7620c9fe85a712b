//! Measures external JSON and reserves memory for its values before it is parsed, and refuses numbers that would lose digits.
//!
//! A few bytes of JSON become many times as much in memory: `[0,0,…]` about seventy times, `{"":{"":…}}` a hundred
//! times. The host therefore measures every external text before it is parsed, and reserves the memory that its values
//! may use from one limit for the whole process, [`ValueMemory`], for as long as the values exist.
//!
//! # Shares of the memory
//!
//! | what | of the 512 MiB |
//! |---|---|
//! | one message of an MCP client or server; over HTTP a client's counts from its first byte, as it arrives | a quarter |
//! | one host call of a run: the arguments, and what is read for the result | a quarter |
//! | the tools that one MCP server lists | a quarter |
//! | documents and recordings that the operator configured | everything |
//! | all messages, calls and lists of more than 128 KiB (1/4096) each | seven eighths; the last eighth is for small ones |
//!
//! The memory is released when the values are dropped. A request has twice the memory of its values while it is parsed,
//! and the length of its program while that runs, waits in the queue, waits for an approval, or is a task. A call has
//! the memory of its arguments until it has ended, twice while an approver is asked about them. The values that are
//! replayed from a recording are released with their call.
//!
//! HTTP messages and the arguments of a call wait for memory that other values use, for [`WAIT`](crate::WAIT) at most.
//! All other reservations are refused at once if they do not fit.
//!
//! Responses of servers have a limit of their own, [`ResponseMemory`].
//!
//! # Limitations
//!
//! - The host cannot distinguish clients reliably, so many requests, many runs of one client, or many calls of a run can
//!   use the seven eighths together; each of them is bounded by its own limits (`limits.payload`, `message_bytes`, the
//!   number of runs).
//! - An approver may take as long as the run has time, and the memory of the pending call is reserved for as long.
//! - The value that a program ends with is counted while it is read, and only if it is long. After that it belongs to
//!   the embedder, and `limits.value` bounds it. The same applies to schemas of tools that were generated from OpenAPI
//!   documents (`schema_bytes`).
//! - A response of an MCP server is counted while it is parsed, and its part that is passed to a call is counted for
//!   that call. Between the two it is not counted.

mod amount;
mod measure;
mod memory;
mod numbers;
mod reservation;
mod responses;

pub use self::{
    amount::NoMemory,
    measure::{assert_measured, node_bytes, nodes, value_bytes},
    memory::ValueMemory,
    numbers::{LostDigits, ReadError, check_numbers, check_numbers_at, lost_digits_as_text, read_json},
    reservation::Reservation,
    responses::ResponseMemory,
};
