//! The requests and commands that `isolette proxy` and `isolette exec --cmd` read, without the server that executes them.
//!
//! [`serve`] reads requests as lines of JSON and writes one reply for each, in which a [`Sandbox`] does the work.
//! [`command::steps`] reads a command without a shell: the programs that it names, as programs for guests.
//!
//! Both read what models write. They do not panic on it, and what they keep of it is bounded by [`Limits`].
//!
//! The crate depends on policies, for the syntax of times, and on the types of results. It runs no programs and knows no server.

#![deny(missing_docs)]

pub mod command;
mod failure;
mod id;
mod limits;
mod line;
mod open;
mod request;
mod serve;
pub mod words;

pub use self::{
    failure::Failure,
    id::Id,
    limits::Limits,
    request::{Encoding, Exec, Operation, Source},
    serve::{Sandbox, serve},
};
