//! The server as other people's clients find it. See `isolette_tests::agents` for how they are driven.
//!
//! Every test of `agents!` is run in four ways, so that each client meets each transport and each era of the protocol.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod approval;
mod breweries;
mod budgets;
mod command_line;
mod example;
mod files;
mod floods;
mod http;
mod listings;
mod many;
mod memory;
mod raw;
mod running;
mod secrets;
mod sessions;
mod shop;
mod stdio;
mod suite;
mod tasks;
mod watched;
mod ways;

fn main() -> ExitCode {
    panics::install();
    let mut trials = isolette_tests::trials();
    trials.extend(ways::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
