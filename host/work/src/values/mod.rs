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
//! Messages over HTTP and the arguments of a call wait for room that others take, [`WAIT`](crate::WAIT) at most. All else
//! that finds no
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

mod amount;
mod measure;
mod memory;
mod reservation;

pub use self::{
    amount::NoMemory,
    measure::{assert_measured, node_bytes, nodes, value_bytes},
    memory::ValueMemory,
    reservation::Reservation,
};
