//! What the test programs share: engines, scenarios, servers, clients, and readers of headers. `README.md` describes the kinds of
//! tests, and how to add, run and update them.

pub mod agents;
pub mod brewery;
mod client_test;
mod command;
pub mod compromised;
pub mod engines;
pub mod every_file;
pub mod exact_server;
pub mod guests;
pub mod hostile;
pub mod native;
mod outcome;
pub mod panics;
pub mod processes;
pub mod report;
mod scenario;
pub mod server;
pub mod shop;
mod small_disk;
mod topic;

pub use inventory;
pub use isolette_test_attributes::{client_test, host_test, scenario};
pub use libtest_mimic;

pub use self::{
    client_test::{ClientCase, ClientTest, Served},
    command::{built, isolette, transcript},
    outcome::{Outcome, Skipped},
    scenario::{Case, HostTest, Languages, Scenario, on_engine, trials},
    small_disk::SmallDisk,
};
