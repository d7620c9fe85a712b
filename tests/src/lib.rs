//! What the tests of the whole are made of. The tests themselves are in `conformance/`, the programs that they run in
//! `guests/`.
//!
//! # Where things are
//!
//! | what | where |
//! |---|---|
//! | tests of one topic | `conformance/<topic>.rs` |
//! | their programs, one for each language | `guests/<topic>/<name>.{py,js}` |
//! | language coverage: programs and what they print | `guests/{python,javascript}/**/<name>.{py,js}` and `.out` |
//! | abuse of the stack, one kind a file | `guests/stack/{python,javascript}/<kind>.{py,js}` |
//! | programs that want out, or want more than they got | `hostile/programs/<family>/<name>.{py,js}` |
//! | a guest that speaks bytes of its own on the waist | `compromised/`, told what to do by [`compromised`] |
//! | what is there with micro-VMs alone | `conformance/microvm/` |
//! | other people's tests and programs, compared with other interpreters | `foreign/` |
//! | what many guests, or many runs, leave behind in a process | `endurance/` |
//! | what people read: help, errors, explanations | `conformance/snapshots/` |
//!
//! # Rules
//!
//! - [`macro@scenario`] makes one test of a function for each language and each engine. A test for an engine that this
//!   machine has not got is reported as ignored, with the engine's own reason; it never passes.
//! - What a test measures it reports ([`report::measured`]); it asserts on time only where a real processor keeps it.
//! - A program under `guests/` that no test runs is a failure, and so is a scenario's program without a twin in the other
//!   language, unless the scenario says why it is for one language alone.
//! - Servers listen on 127.0.0.1, on a port that the system picks. Nothing waits for time to pass, except for limits of
//!   time themselves.
//!
//! `INSTA_UPDATE=always` rewrites the snapshots, the `.out` files and the random WIT that a macro reads to what came out.
//! Look at the difference before you commit it.

pub mod agents;
pub mod brewery;
mod client_test;
mod command;
pub mod compromised;
pub mod engines;
pub mod every_file;
pub mod guests;
pub mod hostile;
pub mod native;
pub mod panics;
pub mod report;
mod scenario;
pub mod server;
pub mod shop;
mod small_disk;

pub use inventory;
pub use isolette_test_attributes::{client_test, host_test, scenario};
pub use libtest_mimic;

pub use self::{
    client_test::{ClientCase, ClientTest, Served},
    command::{built, isolette, transcript},
    scenario::{Case, HostTest, Languages, Outcome, Scenario, Skipped, on_engine, trials},
    small_disk::SmallDisk,
};
