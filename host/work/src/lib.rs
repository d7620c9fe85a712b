//! Limits on the host's own work, for input whose size a guest, a server or a document determines.
//!
//! - [`Work`] counts the steps of a loop, and ends it after a limit or when the run has to end.
//! - [`Call`] is the host call that the current thread or task answers: its run, and the memory that is reserved for
//!   it.
//! - [`values`] measures JSON before it is parsed, against one memory limit for the whole process.
//! - [`nearest`] finds the known names that resemble an unknown one.
//!
//! This crate depends on no async runtime and on no other crate of the host.

#![deny(missing_docs)]

mod call;
mod call_values;
mod nearest;
mod steps;
pub mod values;

pub use self::{
    call::{Call, Interrupt},
    call_values::{Unread, WAIT, read_for_call, reserve_for_call, reserve_for_call_until},
    nearest::{is_near, near_lengths, nearest},
    steps::{Over, Work},
};
